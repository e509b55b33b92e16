/**
 * The client library against the server, over real HTTP: after random acts of three people, lost answers, dropped queues and restarts,
 * the windows of a client are what `GET /messages` says, its state is that of a new registration, and what it sent is there once.
 */
import {
  Client,
  FetchTransport,
  type Message,
  narrowKey,
  type NarrowTerm,
  type Outcome,
  registeredOf,
  SYSTEM,
  type Transport,
} from '#client';
import { comparable, freePort, learnFirstMessages, SEED, seeded, sized, until, type ClientState } from '#testing';
import type { ApiClient } from '../../support/client.js';
import { isShared } from '../../support/pairings.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';

const STORIES = sized({ nightly: 100, usual: isShared ? 1 : 2 });
const ACTS = 40;

let cast: Cast;
let channels: readonly number[];

beforeAll(async () => {
  // A restart leaves the address, which is in the state.
  cast = await startWithPeople(undefined, { PORT: String(await freePort()) });
  const { owner, ann, ben } = cast;
  owner.userId = (await owner.ok('GET', '/users/me')).user_id;
  channels = [await channelOf('alpha', ann, ben, owner), await channelOf('beta', ann, ben, owner)];
});
afterAll(() => cast.server.stop());

/** Carries calls, and loses some on their way to the server, and some answers on their way back. */
class Lossy implements Transport {
  losses = 0;

  constructor(
    private readonly inner: Transport,
    private readonly chance: (share: number) => boolean,
  ) {}

  async send(...call: Parameters<Transport['send']>): Promise<Outcome> {
    const [isLost, isCut] = [this.chance(0.05), this.chance(0.05)];
    if (isLost) return this.#lost();
    const outcome = await this.inner.send(...call);
    return isCut ? this.#lost() : outcome;
  }

  #lost(): Outcome {
    this.losses++;
    return { kind: 'lost', reason: 'as the story wants' };
  }
}

interface Story {
  readonly client: Client;
  readonly below: (limit: number) => number;
  readonly sent: string[];
}

const narrowsOf = ([alpha = 0]: readonly number[], benId: number): readonly (readonly NarrowTerm[])[] => [
  [],
  [{ operator: 'channel', operand: alpha }],
  [
    { operator: 'channel', operand: alpha },
    { operator: 'topic', operand: 'one' },
  ],
  [{ operator: 'dm', operand: [benId] }],
  [{ operator: 'is', operand: 'starred' }],
  [{ operator: 'is', operand: 'unread' }],
  [{ operator: 'is', operand: 'mentioned' }],
  [{ operator: 'sender', operand: benId }],
  [{ operator: 'search', operand: 'hello' }],
];

/** What the event says of a message, and what only `GET /messages` says. */
function known({ edit_history: _, recipient_id: __, ...message }: any): any {
  return { ...message, flags: [...message.flags].sort() };
}

async function act(story: Story): Promise<void> {
  const { owner, ann, ben, server } = cast;
  const { client, below } = story;
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const who = pick([owner, ann, ben]);
  const topic = pick(['one', 'two', 'ONE']);
  const recent = (await who.ok('GET', '/messages', { anchor: 'newest', num_before: 12, num_after: 0 })).messages;
  const some: any = recent.length === 0 ? undefined : pick(recent);
  const maybe = (...call: [ApiClient, string, string, object?]): Promise<unknown> =>
    call[0].call(call[1], call[2], (call[3] ?? {}) as Record<string, unknown>);
  switch (below(14)) {
    case 0:
    case 1:
    case 2:
      await who.send(pick(channels), topic, pick(['hello', 'hello @**Ann Archer**', 'nothing']));
      return;
    case 3:
      await maybe(who, 'POST', '/messages', { type: 'direct', to: [pick([ann, ben, owner]).userId], content: 'hello' });
      return;
    case 4: {
      const content = `mine ${story.sent.length} ${below(1e9)}`;
      story.sent.push(content);
      client.send({ channelId: pick(channels), topic }, content);
      return;
    }
    case 5:
      if (some !== undefined)
        await maybe(who, 'PATCH', `/messages/${some.id}`, { content: pick(['hello again', 'other']) });
      return;
    case 6:
      if (some !== undefined)
        await maybe(who, 'PATCH', `/messages/${some.id}`, {
          topic: pick(['one', 'two']),
          propagate_mode: pick(['change_one', 'change_all']),
          send_notification_to_new_thread: false,
        });
      return;
    case 7:
      if (some !== undefined) await maybe(owner, 'PATCH', `/messages/${some.id}`, { stream_id: pick(channels) });
      return;
    case 8:
      if (some !== undefined) await maybe(owner, 'DELETE', `/messages/${some.id}`);
      return;
    case 9:
      if (some !== undefined)
        await maybe(who, pick(['POST', 'DELETE']), `/messages/${some.id}/reactions`, {
          emoji_name: pick(['tada', 'heart']),
        });
      return;
    case 10: {
      const ids = recent.map(({ id }: Message) => id).filter(() => below(2) === 0);
      const flag = pick(['read', 'starred'] as const);
      if (below(2) === 0) client.setFlag(flag, ids, true);
      else await maybe(ann, 'POST', '/messages/flags', { messages: ids, op: pick(['add', 'remove']), flag });
      return;
    }
    case 11:
      await maybe(ann, pick(['POST', 'DELETE']), '/users/me/subscriptions', {
        subscriptions: pick([[{ name: 'beta' }], ['beta']]),
      });
      return;
    case 12:
      if (client.session.queueId !== undefined)
        await maybe(ann, 'DELETE', '/events', { queue_id: client.session.queueId });
      return;
    default:
      if (below(4) === 0) await server.restart();
  }
}

async function settle({ client }: Story): Promise<void> {
  const { ann } = cast;
  await client.settled();
  // A message can leave the outbox before its event is there: the marker is after all of them.
  await until(() => client.store.get().outgoing.length === 0);
  const marker = `marker ${Math.random()}`;
  // The client has seen all before it.
  await ann.sendTo([ann], marker);
  const newest = async (): Promise<number> =>
    (await ann.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).messages[0].id;
  const id = await newest();
  await until(() => {
    const { state, outgoing, status } = client.store.get();
    return status.kind === 'live' && (state?.maxMessageId ?? 0) >= id && outgoing.length === 0;
  }, 60_000);
  await client.settled();
}

async function expectExact({ client }: Story): Promise<void> {
  const { ann } = cast;
  const { windows, state } = client.store.get();
  for (const narrow of narrowsOf(channels, cast.ben.userId)) {
    const window = windows.windows[narrowKey(narrow)]!;
    const { messages } = await ann.ok('GET', '/messages', {
      anchor: 'newest',
      num_before: 2000,
      num_after: 0,
      narrow,
      apply_markdown: true,
      allow_empty_topic_name: true,
    });
    expect(window.runs.at(-1)?.to).toBe(Infinity);
    for (const { from, to, ids } of window.runs) {
      const there = messages.filter(({ id }: Message) => id >= from && id <= to);
      expect({ narrow, ids }).toEqual({ narrow, ids: there.map(({ id }: Message) => id) });
      expect(ids.map((id) => known(windows.messages.get(id)))).toEqual(
        there.map((message: any) => known(without(message, ['match_content', 'match_subject']))),
      );
    }
  }
  const fresh = (await ann.register({ ...REGISTER })).state as ClientState;
  const now = structuredClone(registeredOf(state!)) as unknown as ClientState;
  learnFirstMessages(now, fresh);
  // The newest own message changes with all messages that become visible or invisible, which no event tells.
  for (const field of ['max_message_id', 'recent_private_conversations', 'starred_messages']) now[field] = fresh[field];
  expect(comparable(now)).toEqual(comparable(fresh));
}

function without(message: any, fields: readonly string[]): any {
  return Object.fromEntries(Object.entries(message).filter(([name]) => !fields.includes(name)));
}

const REGISTER = {
  apply_markdown: true,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
    individual_emoji_changes: false,
  },
};

test.each(Array.from({ length: STORIES }, (_, index) => [SEED + index]))(
  'after the story with seed %i, windows and state are those of the server',
  async (seed) => {
    const { ann, ben } = cast;
    const random = seeded(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    // Chance of its own: when calls are made depends on the machine.
    const chance = (share: number): boolean => Math.random() < share;
    const reports: string[] = [];
    const client = new Client({
      transport: {
        // The port changes with a restart.
        send: (call) => lossy.send(call),
      },
      betweenPollsMs: 0,
      // Pauses are long beside the story.
      surroundings: { ...SYSTEM, sleep: (ms, signal) => SYSTEM.sleep(ms / 50, signal) },
      onReport: (text) => reports.push(text),
    });
    const lossy = new Lossy(
      { send: (call) => new FetchTransport({ site: cast.server.url, credentials: ann }).send(call) },
      chance,
    );
    const story: Story = { client, below, sent: [] };
    await client.start();
    await Promise.all(
      narrowsOf(channels, ben.userId).map((narrow) => client.open(narrow, { anchor: 'newest', before: 8, after: 8 })),
    );
    try {
      for (let round = 0; round < 2; round++) {
        for (let n = 0; n < ACTS / 2; n++) await act(story);
        await settle(story);
        await expectExact(story);
      }
      const { messages } = await ann.ok('GET', '/messages', {
        anchor: 'newest',
        num_before: 5000,
        num_after: 0,
        narrow: [{ operator: 'sender', operand: ann.userId }],
        apply_markdown: false,
      });
      const found = messages.filter(({ edit_history }: Message) => edit_history === undefined);
      for (const content of story.sent) {
        const copies = found.filter((message: Message) => message.content === content).length;
        expect([content, copies <= 1]).toEqual([content, true]);
      }
      expect(reports).toEqual([]);
      expect(lossy.losses).toBeGreaterThan(0);
    } finally {
      await client.stop();
    }
  },
  600_000,
);

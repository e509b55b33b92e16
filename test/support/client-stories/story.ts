import {
  CAPABILITIES,
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
import { comparable, learnFirstMessages, until, type ClientState } from '#testing';
import type { ApiClient } from '../client.js';
import { channelOf } from '../people.js';
import { type Act, perform, type Scene, type Who } from './acts.js';

/** Where stories happen. */
export interface Stage {
  readonly people: Readonly<Record<Who, ApiClient>>;
  readonly restart: Scene['restart'];
}

/** Guards against hanging only. */
const SETTLES_WITHIN_MS = 60_000;
/** Pauses of the client are long beside a story. */
const HURRY = 50;
const REGISTER = { apply_markdown: true, slim_presence: true, client_capabilities: CAPABILITIES };

let played = 0;

/** Carries calls, and loses some on their way to the server, and some answers on their way back. */
class Lossy implements Transport {
  losses = 0;

  constructor(private readonly inner: Transport) {}

  async send(...call: Parameters<Transport['send']>): Promise<Outcome> {
    if (Math.random() < 0.05) return this.#lost();
    const outcome = await this.inner.send(...call);
    return Math.random() < 0.05 ? this.#lost() : outcome;
  }

  #lost(): Outcome {
    this.losses++;
    return { kind: 'lost', reason: 'as the story wants' };
  }
}

/**
 * Lets a client follow the acts over a connection that loses calls, in two rounds. After each, its windows are what `GET /messages`
 * says, its state is that of a new registration, and what it sent is there once.
 */
export async function play({ people, restart }: Stage, acts: readonly Act[]): Promise<void> {
  const { owner, ann, ben } = people;
  const names = ['alpha', 'beta'].map((name) => `${name} ${++played}`);
  const channels: { id: number; name: string }[] = [];
  for (const name of names) channels.push({ name, id: await channelOf(name, ann, ben, owner) });
  const narrows = narrowsOf(channels[0]?.id ?? 0, ben.userId);
  const reports: string[] = [];
  const lossy = new Lossy({
    // The port may change with a restart.
    send: (call) => new FetchTransport({ site: ann.site, credentials: ann }).send(call),
  });
  const client = new Client({
    transport: lossy,
    betweenPollsMs: 0,
    surroundings: { ...SYSTEM, sleep: (ms, signal) => SYSTEM.sleep(ms / HURRY, signal) },
    onReport: (text) => reports.push(text),
  });
  const scene: Scene = { people, channels, since: await newestOf(ann), client, restart };
  await client.start();
  try {
    await Promise.all(narrows.map((narrow) => client.open(narrow, { anchor: 'newest', before: 8, after: 8 })));
    for (const round of [acts.slice(0, acts.length / 2), acts.slice(acts.length / 2)]) {
      for (const act of round) await perform(act, scene);
      await settle(client, ann);
      await expectExact(client, ann, narrows);
    }
    await expectOnce(ann, acts, scene.since);
    expect(reports).toEqual([]);
  } finally {
    await client.stop();
  }
}

function narrowsOf(channelId: number, benId: number): readonly (readonly NarrowTerm[])[] {
  const channel = { operator: 'channel', operand: channelId };
  return [
    [],
    [channel],
    [channel, { operator: 'topic', operand: 'one' }],
    [{ operator: 'dm', operand: [benId] }],
    [{ operator: 'is', operand: 'starred' }],
    [{ operator: 'is', operand: 'unread' }],
    [{ operator: 'is', operand: 'mentioned' }],
    [{ operator: 'sender', operand: benId }],
    [{ operator: 'search', operand: 'hello' }],
  ];
}

async function newestOf(ann: ApiClient): Promise<number> {
  const { messages } = await ann.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
  return messages.at(-1)?.id ?? 0;
}

async function settle(client: Client, ann: ApiClient): Promise<void> {
  await client.settled();
  // A message can leave the outbox before its event is there: the marker is after all of them.
  await until(() => client.store.get().outgoing.length === 0, SETTLES_WITHIN_MS);
  const id = await ann.sendTo([ann], `marker ${Math.random()}`);
  await until(() => {
    const { state, outgoing, status } = client.store.get();
    return status.kind === 'live' && (state?.maxMessageId ?? 0) >= id && outgoing.length === 0;
  }, SETTLES_WITHIN_MS);
  await client.settled();
}

async function expectExact(client: Client, ann: ApiClient, narrows: readonly (readonly NarrowTerm[])[]): Promise<void> {
  const { windows, state } = client.store.get();
  if (state === undefined) throw new Error('The client has no state.');
  for (const narrow of narrows) {
    const { messages } = await ann.ok('GET', '/messages', {
      anchor: 'newest',
      num_before: 2000,
      num_after: 0,
      narrow,
      apply_markdown: true,
      allow_empty_topic_name: true,
    });
    const { runs = [] } = windows.windows[narrowKey(narrow)] ?? {};
    expect(runs.at(-1)?.to).toBe(Infinity);
    for (const { from, to, ids } of runs) {
      const there: readonly Message[] = messages.filter(({ id }: Message) => id >= from && id <= to);
      expect({ narrow, ids }).toEqual({ narrow, ids: there.map(({ id }) => id) });
      expect({ narrow, messages: ids.map((id) => known(windows.messages.get(id))) }).toEqual({
        narrow,
        messages: there.map(known),
      });
    }
  }
  const fresh = (await ann.register(REGISTER)).state as ClientState;
  const now = structuredClone(registeredOf(state)) as unknown as ClientState;
  learnFirstMessages(now, fresh);
  // The newest own message changes with all messages that become visible or invisible, which no event tells.
  for (const field of ['max_message_id', 'recent_private_conversations', 'starred_messages']) now[field] = fresh[field];
  expect(comparable(now)).toEqual(comparable(fresh));
}

/** Fields that only `GET /messages` says, some of them of searches alone. */
const FETCHED_ONLY = ['edit_history', 'recipient_id', 'match_content', 'match_subject'];

/** What events say of a message. */
function known(message: { readonly flags: readonly string[] } | undefined): unknown {
  if (message === undefined) return undefined;
  const told = Object.entries(message).filter(([name]) => !FETCHED_ONLY.includes(name));
  return { ...Object.fromEntries(told), flags: [...message.flags].sort() };
}

async function expectOnce(ann: ApiClient, acts: readonly Act[], since: number): Promise<void> {
  const { messages } = await ann.ok('GET', '/messages', {
    anchor: 'newest',
    num_before: 5000,
    num_after: 0,
    narrow: [{ operator: 'sender', operand: ann.userId }],
    apply_markdown: false,
  });
  for (const act of acts) {
    if (act.does !== 'post') continue;
    const copies = messages.filter(({ id, content }: Message) => id > since && content === act.content).length;
    expect([act.content, copies <= 1]).toEqual([act.content, true]);
  }
}

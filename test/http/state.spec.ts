import { applyEvents, comparable, SEED, seeded, type ClientState } from '#testing';
import type { Answer, ApiClient, TestQueue } from '../support/client.js';
import { startTestServer, type TestServer } from '../support/server.js';

const ACTIONS = 180;
/** Some kinds of change are rare, and often refused: the story goes on until each has come about. */
const ACTIONS_MAX = 2 * ACTIONS;

const MODERN = {
  apply_markdown: true,
  include_subscribers: 'true',
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
  },
};
const LEGACY = { client_gravatar: false };

let random: () => number;
const below = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
const chance = (share: number): boolean => random() < share;
const some = <T>(items: readonly T[]): T[] => {
  const chosen = items.filter(() => chance(0.5));
  return chosen.length === 0 ? [pick(items)] : chosen;
};

/** One client program: what it was told at first, and everything since. */
class Follower {
  state: ClientState;
  /** What the last step told it. */
  told: any[] = [];

  private constructor(
    readonly name: string,
    private readonly client: ApiClient,
    private readonly parameters: Record<string, unknown>,
    private readonly queue: TestQueue,
  ) {
    this.state = queue.state;
  }

  static async of(client: ApiClient, kind: string, parameters: Record<string, unknown>): Promise<Follower> {
    return new Follower(`${client.email} (${kind})`, client, parameters, await client.register(parameters));
  }

  /** Takes in what happened, and asks for the little that no event tells. */
  async follow(): Promise<any[]> {
    const events = await this.queue.pending();
    this.told = events;
    const subscribed = new Set(this.state.subscriptions!.map(({ stream_id }) => stream_id));
    const mutedBefore = this.#mutesTopics();
    this.state = applyEvents(this.state, events);
    const kinds = events.map(({ type, op }) => `${type}/${op}`);
    const unknown = new Set<string>();
    // The newest own message changes with whatever comes into sight or leaves it, messages that are sent aside. Also a
    // reaction makes a message one's own.
    if (kinds.some((kind) => !/^message\b/.test(kind))) unknown.add('max_message_id');
    if (kinds.some((kind) => kind.startsWith('delete_message'))) unknown.add('recent_private_conversations');
    // What is unread in a channel that one is not subscribed to is not listed; it is, once it has moved to another.
    if (events.some(({ type, stream_id }) => type === 'update_message' && !subscribed.has(stream_id)))
      unknown.add('unread_msgs');
    // Mentions from before a subscription come into the list of unread messages with it.
    if (kinds.includes('subscription/add')) unknown.add('unread_msgs').add('starred_messages');
    if (kinds.includes('subscription/remove')) unknown.add('starred_messages');
    // Wildcard mentions count or do not count again.
    if (events.some(({ type }) => type === 'user_topic') && (mutedBefore || this.#mutesTopics()))
      unknown.add('unread_msgs');
    if (unknown.size === 0) return events;
    const fresh = await this.fresh();
    for (const field of unknown) this.state[field] = fresh[field];
    return events;
  }

  #mutesTopics(): boolean {
    return this.state.user_topics!.some(({ visibility_policy }) => visibility_policy === 1);
  }

  /** What the server would tell a newcomer. */
  async fresh(): Promise<ClientState> {
    const { state } = await this.client.register(this.parameters);
    await this.client.ok('DELETE', '/events', { queue_id: state.queue_id });
    return state;
  }
}

let server: TestServer;
let users: ApiClient[];
const channels: string[] = [];
const messages: number[] = [];
const sentBy = new Map<ApiClient, number[]>();
let made = 0;

const TOPICS = ['one', 'Two', 'two', ''];
const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'];
const QUIET = [{ send_notification_to_new_thread: false }, {}, { send_notification_to_old_thread: true }];
const words = (): string =>
  pick(['hello', '@**all** listen', `@**${pick(users).fullName}** you`, '**bold**', ':tada:']);
const byPath = (client: ApiClient, path: string, parameters: Record<string, unknown>): Promise<Answer> =>
  client.call('POST', path, parameters);
const subscribe = (client: ApiClient, name: string, parameters: Record<string, unknown> = {}): Promise<Answer> =>
  byPath(client, '/users/me/subscriptions', { subscriptions: [{ name, description: 'About *it*' }], ...parameters });

function noted(sender: ApiClient, answer: Answer): Answer {
  if (answer.status !== 200) return answer;
  messages.push(answer.body.id);
  sentBy.set(sender, [...(sentBy.get(sender) ?? []), answer.body.id]);
  return answer;
}

interface Done {
  readonly answer: Answer;
  readonly changed?: boolean;
}

async function change(actor: ApiClient, method: string, id: number, parameters = {}): Promise<Done> {
  return { answer: await actor.call(method, `/messages/${id}`, parameters) };
}

/** Everything that this server lets a user change. Each gives what was answered, and whether that changed anything. */
const actions: Record<string, (actor: ApiClient) => Promise<Done>> = {
  async create(actor) {
    const name = `channel ${++made}`;
    channels.push(name);
    const kinds = [{}, {}, { invite_only: true }, { invite_only: true, history_public_to_subscribers: true }];
    const principals = some(users).map(({ userId }) => userId);
    return { answer: await subscribe(actor, name, { ...pick(kinds), principals, announce: chance(0.2) }) };
  },
  async subscribe(actor) {
    const answer = await subscribe(actor, pick(channels), chance(0.5) ? { principals: [pick(users).userId] } : {});
    return { answer, changed: Object.keys(answer.body.subscribed ?? {}).length > 0 };
  },
  async unsubscribe(actor) {
    const principals = chance(0.3) ? { principals: [pick(users).userId] } : {};
    const answer = await actor.call('DELETE', '/users/me/subscriptions', {
      subscriptions: [pick(channels)],
      ...principals,
    });
    return { answer, changed: (answer.body.removed ?? []).length > 0 };
  },
  async send(actor) {
    const target = { type: 'channel', to: pick(channels), topic: pick(TOPICS), content: words() };
    const answer = await byPath(actor, '/messages', { ...target, read_by_sender: chance(0.5) });
    return { answer: noted(actor, answer) };
  },
  async write(actor) {
    const to = some(users).map(({ userId }) => userId);
    const answer = await byPath(actor, '/messages', { type: 'direct', to, content: words() });
    return { answer: noted(actor, answer) };
  },
  async edit(actor) {
    const content = `${words()} ${++made}`;
    const where = chance(0.4) ? { topic: pick(TOPICS), propagate_mode: pick(PROPAGATE_MODES), ...pick(QUIET) } : {};
    return change(actor, 'PATCH', pick(sentBy.get(actor) ?? messages), { content, ...where });
  },
  async move(actor) {
    const { body } = await actor.call('GET', '/get_stream_id', { stream: pick(channels) });
    const topic = chance(0.6) ? { topic: pick(TOPICS) } : {};
    const where = chance(0.5) ? { topic: pick(TOPICS) } : { stream_id: body.stream_id ?? 1, ...topic };
    return change(actor, 'PATCH', pick(messages), {
      ...where,
      propagate_mode: pick(PROPAGATE_MODES),
      ...pick(QUIET),
    });
  },
  async react(actor) {
    const method = chance(0.6) ? 'POST' : 'DELETE';
    return { answer: await actor.call(method, `/messages/${pick(messages)}/reactions`, { emoji_name: 'tada' }) };
  },
  async remove(actor) {
    return change(actor, 'DELETE', pick(sentBy.get(actor) ?? messages));
  },
  async removeTopic() {
    const { owner } = server;
    const { streams } = await owner.ok('GET', '/streams');
    const stream_id = pick<any>(streams).stream_id;
    const { body } = await owner.call('GET', `/users/me/${stream_id}/topics`);
    const topic_name = body.topics?.length > 0 ? pick<any>(body.topics).name : 'none';
    const answer = await byPath(owner, `/streams/${stream_id}/delete_topic`, { topic_name });
    return { answer, changed: topic_name !== 'none' };
  },
  async realm() {
    const seconds = 600 + ++made;
    return { answer: await server.owner.call('PATCH', '/realm', { message_content_edit_limit_seconds: seconds }) };
  },
  async linkifiers() {
    const { owner } = server;
    const ids: number[] = (await owner.ok('GET', '/realm/linkifiers')).linkifiers.map(({ id }: any) => id);
    const definition = { pattern: `T${++made}-(?P<id>[0-9]+)`, url_template: 'https://e.example/{id}' };
    if (ids.length < 2 || chance(0.4)) return { answer: await byPath(owner, '/realm/filters', definition) };
    if (chance(0.4)) return { answer: await owner.call('PATCH', `/realm/filters/${pick(ids)}`, definition) };
    if (chance(0.5)) return { answer: await owner.call('DELETE', `/realm/filters/${pick(ids)}`) };
    const ordered_linkifier_ids = ids.reverse();
    return { answer: await owner.call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids }) };
  },
  async flag(actor) {
    const flag = pick(['read', 'starred']);
    const chosen = messages.filter(() => chance(6 / messages.length));
    for (const id of chosen) {
      // One message out of reach, and nothing changes: so only those that are there.
      const { status } = await actor.call('GET', `/messages/${id}`);
      if (status !== 200) chosen.splice(chosen.indexOf(id), 1);
    }
    const op = chance(0.6) ? 'add' : 'remove';
    return { answer: await byPath(actor, '/messages/flags', { messages: chosen, op, flag }), changed: false };
  },
  async markTopic(actor) {
    const { subscriptions } = await actor.ok('GET', '/users/me/subscriptions');
    const stream_id = subscriptions.length === 0 ? 1 : pick<any>(subscriptions).stream_id;
    const { body } = await actor.call('GET', `/users/me/${stream_id}/topics`);
    const topic_name = body.topics?.length > 0 ? pick<any>(body.topics).name : 'none';
    return { answer: await byPath(actor, '/mark_topic_as_read', { stream_id, topic_name }), changed: false };
  },
  async mute(actor) {
    const method = chance(0.6) ? 'POST' : 'DELETE';
    return { answer: await actor.call(method, `/users/me/muted_users/${pick(users).userId}`) };
  },
  async see(actor) {
    const { subscriptions } = await actor.ok('GET', '/users/me/subscriptions');
    const stream_id = subscriptions.length === 0 ? 1 : pick<any>(subscriptions).stream_id;
    const policy = { stream_id, topic: pick(TOPICS), visibility_policy: pick([0, 1, 2, 3]) };
    return { answer: await byPath(actor, '/user_topics', policy), changed: false };
  },
  async alert(actor) {
    const method = chance(0.6) ? 'POST' : 'DELETE';
    const answer = await actor.call(method, '/users/me/alert_words', { alert_words: some(['hello', 'Listen', 'you']) });
    return { answer, changed: false };
  },
  async set(actor) {
    const settings = { automatically_follow_topics_policy: pick([1, 2, 3, 4]), enter_sends: chance(0.5) };
    return { answer: await actor.call('PATCH', '/settings', settings), changed: false };
  },
  async account() {
    const name = `Newcomer ${++made}`;
    const account = { email: `new${made}@example.test`, password: 'a good long password', full_name: name };
    return { answer: await byPath(server.owner, '/users', account) };
  },
};

const OFTEN = [
  'send',
  'send',
  'send',
  'write',
  'edit',
  'move',
  'move',
  'react',
  'react',
  'remove',
  'removeTopic',
  'realm',
  'linkifiers',
  'flag',
  'flag',
  'flag',
  'markTopic',
  'markTopic',
];
const deck = [
  ...OFTEN,
  'mute',
  'see',
  'see',
  'alert',
  'set',
  'create',
  'subscribe',
  'subscribe',
  'unsubscribe',
  'unsubscribe',
];

async function expectSame(follower: Follower, story: string): Promise<void> {
  const fresh = await follower.fresh();
  try {
    expect(comparable(follower.state)).toEqual(comparable(fresh));
  } catch (error) {
    const told = JSON.stringify(follower.told, undefined, 1).slice(0, 4000);
    throw new Error(`${story}\n${told}\n${(error as Error).message}`, { cause: error });
  }
}

beforeAll(async () => {
  random = seeded(SEED);
  server = await startTestServer();
  users = [server.owner, await server.user('Ann Archer'), await server.user('Ben Baker')];
  server.owner.userId = (await server.owner.ok('GET', '/users/me')).user_id;
  for (let count = 0; count < 3; count++) await actions['create']!(pick(users));
  for (let count = 0; count < 12; count++) await actions[chance(0.7) ? 'send' : 'write']!(pick(users));
});
afterAll(() => server.stop());

test('the state that a client was told, and the events since, are the state that it would be told now', async () => {
  const followers = await Promise.all(
    users.flatMap((user) => [Follower.of(user, 'modern', MODERN), Follower.of(user, 'legacy', LEGACY)]),
  );
  const missing = new Set(Object.keys(actions));
  for (let step = 1; step <= ACTIONS || (missing.size > 0 && step <= ACTIONS_MAX); step++) {
    const name = step > ACTIONS ? pick([...missing]) : step % 40 === 0 ? 'account' : pick(deck);
    const actor = pick(users);
    const { answer, changed = true } = await actions[name]!(actor);
    expect([name, answer.status < 500]).toEqual([name, true]);
    if (answer.status === 200) missing.delete(name);
    const told: any[] = [];
    for (const follower of followers) told.push(...(await follower.follow()));
    const story = `seed ${SEED}, step ${step}: ${name} by ${actor.email}: ${answer.text.slice(0, 200)}`;
    if (answer.status === 200 && changed) expect([story, told.length > 0]).toEqual([story, true]);
    for (const follower of followers) await expectSame(follower, `${story}, as ${follower.name} knows it`);
  }
  // The story has to be about everything.
  expect([...missing]).toEqual([]);
}, 480_000);

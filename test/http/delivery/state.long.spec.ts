import { isDeepStrictEqual } from 'node:util';
import {
  applyEvents,
  comparable,
  isNightly,
  learnFirstMessages,
  refreshUnread,
  SEED,
  seeded,
  sized,
  until,
  type ClientState,
} from '#testing';
import { exchange } from '../../support/answers.js';
import type { Answer, ApiClient, TestQueue } from '../../support/client.js';
import { unfetchable } from '../../support/fetchable.js';
import { fetchPage, submit } from '../../support/forms.js';
import { isShared } from '../../support/pairings.js';
import { picture, upload } from '../../support/pictures.js';
import { startTestServer, type TestServer } from '../../support/server.js';

/** Actions of the story, drawn as often as people do them. */
const ACTIONS = sized({ nightly: 360, usual: 48 });
/** Of the followers, how many are compared with a newcomer after each action; they take turns. */
const COMPARED = sized({ nightly: 6, usual: 2 });
/** How often those poll that do not poll after each action: what happened in between is told as it may be seen by then. */
const POLLS_OF_LAZY = 0.15;
/**
 * Some kinds of change are rare, and often refused: the story goes on until each has come about. On shared stores it does so
 * at night alone, because each step takes seconds there.
 */
const GOES_ON = !isShared || isNightly;
const ACTIONS_MAX = GOES_ON ? Math.max(2 * ACTIONS, 240) : ACTIONS;

const MODERN = {
  apply_markdown: true,
  include_subscribers: 'true',
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
  },
};
const LEGACY = { client_gravatar: false };

/** Clients declare capabilities in any combination. */
const someParameters = (): Record<string, unknown> => ({
  client_gravatar: chance(0.5),
  slim_presence: chance(0.5),
  include_subscribers: pick(['true', 'false', 'partial']),
  pronouns_field_type_supported: chance(0.5),
  client_capabilities: Object.fromEntries(
    Object.keys(MODERN.client_capabilities).map((capability) => [capability, chance(0.5)]),
  ),
});

/** Follows from who holds a permission, and has no event of its own (events.md §7). */
const DERIVED =
  /^(realm_(?!topics_policy|message_edit_history_visibility_policy).*_policy|can_create_\w*streams|can_invite_others_to_realm)$/;

/** IDs of system groups. */
const [FULL_MEMBERS, MODERATORS] = [4, 3];
/** An account that nobody changes: the people of the story keep theirs. */
const NOBODY: any = { user_id: 1 };

let random: () => number;
const below = (limit: number): number => Math.floor(random() * limit);
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
const chance = (share: number): boolean => random() < share;
const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
const some = <T>(items: readonly T[]): T[] => {
  const chosen = items.filter(() => chance(0.5));
  return chosen.length === 0 ? [pick(items)] : chosen;
};

/** One client program: what it was told at first, and everything since. */
class Follower {
  state: ClientState;
  /** What the last step told it. */
  told: any[] = [];
  /** There may be a notice in an archived channel, of which clients that do not know such channels are not told. */
  mayHaveNotice = false;
  /** Messages that it was told of, or that were there before it. */
  readonly #known = new Set<number>();
  /** Newest event, by channel, with which messages from before may have come into sight. */
  readonly #openedAt = new Map<number, number>();

  private constructor(
    readonly name: string,
    private readonly client: ApiClient,
    private readonly parameters: Record<string, unknown>,
    private readonly queue: TestQueue,
    readonly isLazy: boolean,
  ) {
    this.state = queue.state;
  }

  static async of(client: ApiClient, kind: string, parameters: Record<string, unknown>): Promise<Follower> {
    const queue = await client.register(parameters);
    const follower = new Follower(`${client.email} (${kind})`, client, parameters, queue, kind === 'lazy');
    for (const { id } of await follower.#ownMessages()) follower.#known.add(id);
    return follower;
  }

  /** Takes in what happened, and asks for the little that no event tells. */
  async follow(): Promise<any[]> {
    const events: any[] = [];
    for (let some = await this.queue.pending(); some.length > 0; some = await this.queue.pending())
      events.push(...some);
    this.told = events;
    this.#note(events);
    const before = this.state;
    if (events.length > 0) this.state = applyEvents(before, events);
    const kinds = events.map(({ type, op }) => `${type}/${op}`);
    const unknown = new Set<string>();
    // The newest own message changes with all messages that become visible or invisible, besides sent ones. Also a
    // reaction makes a message one's own.
    const isUntoldOfNotice = this.mayHaveNotice && !this.#knowsArchived;
    if (isUntoldOfNotice || kinds.some((kind) => !/^message\b/.test(kind))) unknown.add('max_message_id');
    this.mayHaveNotice = false;
    if (kinds.some((kind) => kind.startsWith('delete_message'))) unknown.add('recent_private_conversations');
    if (kinds.some((kind) => /^subscription\/(add|remove)$/.test(kind)) || events.some(changesAccess))
      unknown.add('starred_messages');
    // They are listed again with the channel that they name.
    if (kinds.includes('stream/create') && 'muted_topics' in before) unknown.add('muted_topics');
    if (kinds.some((kind) => /^(realm\/update_dict|user_group\/|realm_user\/)/.test(kind)))
      for (const field of Object.keys(before)) if (DERIVED.test(field)) unknown.add(field);
    const isUntold = this.#untoldUnread(before, events);
    const appeared = kinds.includes('stream/create');
    if (unknown.size === 0 && isUntold === undefined && !appeared) return events;
    const fresh = await this.fresh();
    // That one was subscribed before it vanished, no event says.
    const isFormer = ({ stream_id }: any): boolean => fresh.unsubscribed!.some((one) => one.stream_id === stream_id);
    if (appeared && events.some(({ op, streams = [] }) => op === 'create' && streams.some(isFormer)))
      for (const list of ['unsubscribed', 'never_subscribed']) unknown.add(list);
    for (const field of unknown) this.state[field] = fresh[field];
    if (isUntold !== undefined) this.state = refreshUnread(this.state, fresh, isUntold);
    return events;
  }

  /** Of which messages no event tells all of whether they are unread: the fewer, the more this test can find. */
  #untoldUnread(before: ClientState, events: readonly any[]) {
    const ids = new Set<number>();
    const joined = new Set<number>();
    const topics = new Set<string>();
    const isSubscribed = new Set(before.subscriptions!.map(({ stream_id }) => stream_id));
    for (const event of events) {
      const { type, op } = event;
      // Mentions from before a subscription come into the list with it.
      if (type === 'subscription' && op === 'add')
        for (const { stream_id } of event.subscriptions) joined.add(stream_id);
      // Mentions from before a subscription come with the history, and what was unread with the end of an archive.
      if (changesAccess(event)) joined.add(event.stream_id);
      // What is unread in a channel that one is not subscribed to is not listed; it is, once it has moved to another.
      const mutes = type === 'update_message' && this.#mutesTopics(before);
      if (type === 'update_message' && (mutes || !isSubscribed.has(event.stream_id)))
        for (const id of event.message_ids) ids.add(id);
      // Wildcard mentions count or do not count again.
      if (type === 'subscription' && op === 'update') joined.add(event.stream_id);
      if (type === 'user_topic') topics.add(topicKey(event.stream_id, event.topic_name));
      if (type === 'subscription' && op === 'remove')
        for (const { stream_id } of event.subscriptions) isSubscribed.delete(stream_id);
    }
    if (ids.size + joined.size + topics.size === 0) return undefined;
    return (id: number, channelId?: number, topic = '') =>
      ids.has(id) || (channelId !== undefined && (joined.has(channelId) || topics.has(topicKey(channelId, topic))));
  }

  /** Of what it was told last, what it could not have fetched. */
  async toldTooMuch(): Promise<readonly unknown[]> {
    return this.told.length === 0 ? [] : unfetchable(this.client, this.told, await this.fresh());
  }

  /** A message that the client has is not sent to it again. */
  #note(events: readonly any[]): void {
    for (const event of events) {
      for (const id of event.type === 'delete_message' ? (event.message_ids ?? [event.message_id]) : [])
        this.#known.delete(id);
      if (event.type === 'message') {
        expect([this.name, event, this.#known.has(event.message.id)]).toEqual([this.name, event, false]);
        this.#known.add(event.message.id);
        sentAt.set(event.message.id, Math.min(event.id, sentAt.get(event.message.id) ?? Infinity));
      }
      if (event.type === 'subscription' && event.op === 'add')
        for (const { stream_id } of event.subscriptions) this.#openedAt.set(stream_id, event.id);
      if (!changesAccess(event)) continue;
      for (const { stream_id } of event.streams ?? [event]) this.#openedAt.set(stream_id, event.id);
    }
  }

  /**
   * Of the messages that it received, those that it was not told of. Mentions from before a subscription come with it, and so
   * does what was withheld because it had left the channel.
   */
  async toldTooLittle(): Promise<readonly unknown[]> {
    const own = await this.#ownMessages();
    const knows = new Set(this.state.streams?.map(({ stream_id }) => stream_id));
    return own.filter(({ id, stream_id, flags }) => {
      if (this.#known.has(id) || flags.includes('historical') || flags.includes('mentioned')) return false;
      if (stream_id === undefined) return true;
      return knows.has(stream_id) && (this.#openedAt.get(stream_id) ?? 0) < (sentAt.get(id) ?? 0);
    });
  }

  async #ownMessages(): Promise<any[]> {
    const page = { anchor: 'newest', num_before: 200, num_after: 0, allow_empty_topic_name: true };
    return (await this.client.ok('GET', '/messages', page)).messages;
  }

  get #knowsArchived(): boolean {
    const { client_capabilities: capabilities } = this.parameters as Partial<typeof MODERN>;
    return capabilities?.archived_channels === true;
  }

  #mutesTopics(before: ClientState): boolean {
    return [before, this.state].some(
      ({ user_topics, subscriptions }) =>
        user_topics!.some((topic) => topic.visibility_policy === 1) ||
        subscriptions!.some(({ is_muted }) => is_muted === true),
    );
  }

  /** What the server would tell a newcomer. */
  async fresh(): Promise<ClientState> {
    const { state } = await this.client.register(this.parameters);
    await this.client.ok('DELETE', '/events', { queue_id: state.queue_id });
    return state;
  }
}

/** No event says which messages come into sight, or leave it, with a setting of their channel. */
const changesAccess = ({ type, op, property = '' }: any): boolean =>
  type === 'stream' &&
  (op !== 'update' || /^(invite_only|history_public_to_subscribers|is_archived|can_.*_group)$/.test(property));

const topicKey = (channelId: number, topic: string): string => `${channelId}:${topic.toLowerCase()}`;

/** ID of the event that told somebody first, by message. */
const sentAt = new Map<number, number>();

let server: TestServer;
let users: ApiClient[];
const channels: string[] = [];
const messages: number[] = [];
const sentBy = new Map<ApiClient, number[]>();
let made = 0;
let pictures: Buffer[];

const TOPICS = ['one', 'Two', 'two', ''];
const PROPAGATE_MODES = ['change_one', 'change_later', 'change_all'];
const QUIET = [{ send_notification_to_new_thread: false }, {}, { send_notification_to_old_thread: true }];
const words = (): string =>
  pick(['hello', '@**all** listen', `@**${pick(users).fullName}** you`, '**bold**', ':tada:']);
/** In a moment or tomorrow, in seconds since the epoch. */
const scheduledTime = (): number => Math.floor(Date.now() / 1000) + pick([1, 86_400]);
/** Nothing may happen by itself between two steps of the story. */
const untilDelivered = (list: () => Promise<any[]>): Promise<unknown> =>
  until(async () =>
    (await list()).every(
      ({ failed, scheduled_delivery_timestamp: time }) => failed === true || time > Math.floor(Date.now() / 1000) + 60,
    ),
  );
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

/** One that the client knows, archived or not; among them those that it administers more often than not. */
async function anyChannel(client: ApiClient): Promise<number> {
  const { streams } = await client.ok('GET', '/streams', { include_all: true, exclude_archived: chance(0.7) });
  const own = streams.filter(({ creator_id }: any) => creator_id === client.userId);
  return pick<any>(own.length > 0 && chance(0.7) ? own : streams).stream_id;
}

const renamed = (id: number): string => `channel ${id} as of ${++made}`;

/** A group that a user created, or a system group while there are none. */
async function anyGroup(client: ApiClient): Promise<number> {
  const { user_groups } = await client.ok('GET', '/user_groups', { include_deactivated_groups: chance(0.3) });
  const own = user_groups.filter(({ is_system_group }: any) => !is_system_group);
  return pick<any>(own.length === 0 ? user_groups : own).id;
}

/** Everything that this server lets a user change. Each gives what was answered, and whether that changed anything. */
const actions: Record<string, (actor: ApiClient) => Promise<Done>> = {
  async create(actor) {
    const name = `channel ${++made}`;
    channels.push(name);
    const kinds = [{}, {}, { invite_only: true }, { invite_only: true, history_public_to_subscribers: true }];
    const principals = some(users).map(({ userId }) => userId);
    const { channel_folders } = await actor.ok('GET', '/channel_folders');
    const folder_id = chance(0.5) && channel_folders.length > 0 ? pick<any>(channel_folders).id : null;
    return { answer: await subscribe(actor, name, { ...pick(kinds), principals, folder_id, announce: chance(0.2) }) };
  },
  async subscribe(actor) {
    const answer = await subscribe(actor, pick(channels), chance(0.5) ? { principals: [pick(users).userId] } : {});
    return { answer, changed: Object.keys(answer.body.subscribed ?? {}).length > 0 };
  },
  /** The channels that the actor knows and may join or leave, with some of the users. */
  async subscribeToMany(actor) {
    const { streams } = await actor.ok('GET', '/streams');
    const names = some(streams.map(({ name }: any) => name)).slice(0, 5);
    const principals = some(users).map(({ userId }) => userId);
    if (chance(0.4)) {
      const asked = { subscriptions: names, principals };
      const answer = await actor.call('DELETE', '/users/me/subscriptions', asked);
      return { answer, changed: (answer.body.removed ?? []).length > 0 };
    }
    const subscriptions = names.map((name) => ({ name }));
    const asked = { subscriptions, principals, authorization_errors_fatal: false };
    const answer = await byPath(actor, '/users/me/subscriptions', asked);
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
  async setSubscription(actor) {
    const { subscriptions } = await actor.ok('GET', '/users/me/subscriptions');
    const stream_id = subscriptions.length === 0 ? 1 : pick<any>(subscriptions).stream_id;
    const settings = [
      { property: 'color', value: pick(['#123456', '#abc', '#FEDCBA']) },
      { property: pick(['is_muted', 'in_home_view']), value: chance(0.5) },
      { property: pick(['pin_to_top', 'push_notifications', 'wildcard_mentions_notify']), value: chance(0.5) },
    ];
    const subscription_data = some(settings).map((setting) => ({ stream_id, ...setting }));
    return {
      answer: await byPath(actor, '/users/me/subscriptions/properties', { subscription_data }),
      changed: false,
    };
  },
  async folder() {
    const { owner } = server;
    const { channel_folders } = await owner.ok('GET', '/channel_folders', { include_archived: true });
    const ids: number[] = channel_folders.map(({ id }: any) => id);
    const named = { name: `Folder ${++made}`, description: `All *${made}*` };
    if (ids.length < 2 || chance(0.3)) return { answer: await byPath(owner, '/channel_folders/create', named) };
    if (chance(0.3)) return { answer: await owner.call('PATCH', '/channel_folders', { order: ids.reverse() }) };
    const { id, is_archived } = pick<any>(channel_folders);
    const change = chance(0.5) ? named : { is_archived: !is_archived };
    return { answer: await owner.call('PATCH', `/channel_folders/${id}`, change) };
  },
  async defaults() {
    const { owner } = server;
    const { state } = await owner.register({ event_types: [], fetch_event_types: ['default_stream_groups'] });
    const groups = state.realm_default_stream_groups;
    const { streams } = await owner.ok('GET', '/streams');
    const { stream_id, name } = pick<any>(streams);
    if (chance(0.4)) {
      const answer = await owner.call(pick(['POST', 'DELETE']), '/default_streams', { stream_id });
      return { answer, changed: false };
    }
    const path = '/default_stream_groups';
    const group_name = `Group ${++made}`;
    if (groups.length === 0 || chance(0.4))
      return {
        answer: await byPath(owner, `${path}/create`, { group_name, description: 'Why', stream_names: [name] }),
      };
    const { id } = pick<any>(groups);
    if (chance(0.3)) return { answer: await owner.call('DELETE', `${path}/${id}`) };
    if (chance(0.5)) return { answer: await owner.call('PATCH', `${path}/${id}`, { new_group_name: group_name }) };
    const change = { op: pick(['add', 'remove']), stream_names: [name] };
    return { answer: await owner.call('PATCH', `${path}/${id}/streams`, change) };
  },
  async joinAndLeave(actor) {
    const asked = { add: [{ name: pick(channels) }], delete: [pick(channels)] };
    const answer = await actor.call('PATCH', '/users/me/subscriptions', asked);
    const { subscribed = {}, removed = [] } = answer.body;
    return { answer, changed: Object.keys(subscribed).length > 0 || removed.length > 0 };
  },
  async changeChannel(actor) {
    const id = await anyChannel(actor);
    const members = { direct_members: some(users).map(({ userId }) => userId), direct_subgroups: [] };
    const change = pick<Record<string, unknown>>([
      { new_name: renamed(id) },
      { description: `About *${++made}*` },
      { is_private: true },
      { is_private: true, history_public_to_subscribers: true },
      { is_private: false },
      { is_private: false },
      { is_web_public: true },
      { is_default_stream: chance(0.5) },
      { can_subscribe_group: { new: members }, description: `About *${++made}*` },
      { can_send_message_group: { new: pick([3, 5, 6]) }, can_administer_channel_group: { new: members } },
      { topics_policy: pick(['inherit', 'disable_empty_topic', 'empty_topic_only']) },
    ]);
    const answer = await actor.call('PATCH', `/streams/${id}`, change);
    if (answer.status === 200 && change['new_name'] !== undefined) channels.push(change['new_name'] as string);
    return { answer, changed: 'description' in change };
  },
  /** Who is in a group, at any depth, knows a private channel without a subscription. */
  async showToGroup(actor) {
    const id = await anyChannel(actor);
    const setting = pick(['can_subscribe_group', 'can_add_subscribers_group', 'can_administer_channel_group']);
    const value = pick([await anyGroup(actor), await anyGroup(actor), FULL_MEMBERS, MODERATORS]);
    const answer = await actor.call('PATCH', `/streams/${id}`, { is_private: true, [setting]: { new: value } });
    return { answer, changed: false };
  },
  async changeRole() {
    const { userId } = pick(users.slice(1));
    const { user } = await server.owner.ok('GET', `/users/${userId}`);
    const role = pick([200, 300, 400, 400, 600].filter((one) => one !== user.role));
    return { answer: await server.owner.call('PATCH', `/users/${userId}`, { role }) };
  },
  async archive(actor) {
    return { answer: await actor.call('DELETE', `/streams/${await anyChannel(actor)}`) };
  },
  async unarchive(actor) {
    const { streams } = await server.owner.ok('GET', '/streams', { include_all: true, exclude_archived: false });
    const archived = streams.filter(({ is_archived }: any) => is_archived);
    if (archived.length === 0) return actions['archive']!(actor);
    const { stream_id } = pick<any>(archived);
    return { answer: await server.owner.call('PATCH', `/streams/${stream_id}`, { is_archived: false }) };
  },
  async send(actor) {
    const target = { type: 'channel', to: pick(channels), topic: pick(TOPICS), content: words() };
    const answer = await byPath(actor, '/messages', { ...target, read_by_sender: chance(0.5) });
    return { answer: noted(actor, answer) };
  },
  /** A channel has a first message again. */
  async refill() {
    const { owner } = server;
    const name = `channel ${++made}`;
    await subscribe(owner, name);
    channels.push(name);
    const { stream_id } = await owner.ok('GET', '/get_stream_id', { stream: name });
    await byPath(owner, `/streams/${stream_id}/delete_topic`, { topic_name: 'channel events' });
    const message = { type: 'channel', to: stream_id, topic: pick(TOPICS), content: words() };
    return { answer: noted(owner, await byPath(owner, '/messages', message)) };
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
  /** A message of a private channel moves to a public one, and its holders leave the private one. */
  async disclose(actor) {
    const { subscriptions } = await actor.ok('GET', '/users/me/subscriptions');
    const hidden = subscriptions.filter(({ invite_only }: any) => invite_only);
    const open = subscriptions.filter(({ invite_only }: any) => !invite_only);
    if (hidden.length === 0 || open.length === 0) return actions['create']!(actor);
    const [from, to] = [pick<any>(hidden), pick<any>(open)];
    const principals = users.filter(() => chance(0.8)).map(({ userId }) => userId);
    for (const { name } of principals.length === 0 ? [] : [from, to]) await subscribe(actor, name, { principals });
    const target = { type: 'channel', to: from.stream_id, topic: pick(TOPICS), content: words() };
    const id = noted(actor, await byPath(actor, '/messages', target)).body.id;
    if (chance(0.3)) await actor.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    const move = { propagate_mode: pick(PROPAGATE_MODES), topic: pick(TOPICS), ...pick(QUIET) };
    const [leaver, ...others] = shuffled(users);
    const leave = (): Promise<Answer> =>
      leaver!.call('DELETE', '/users/me/subscriptions', { subscriptions: [from.name] });
    const isBefore = chance(0.3);
    if (isBefore) await leave();
    const answer = await actor.call('PATCH', `/messages/${id}`, { stream_id: to.stream_id, ...move });
    if (!isBefore) await leave();
    const { userId } = leaver!;
    for (const other of chance(0.5) ? others : []) await subscribe(other, from.name, { principals: [userId] });
    return { answer };
  },
  /** In new channels, whose settings and subscriptions nothing has changed yet, so that nothing stands in the way. */
  async discloseNew() {
    const { owner } = server;
    const principals = users.map(({ userId }) => userId);
    const [from, to] = [`channel ${++made}`, `channel ${++made}`];
    await subscribe(owner, from, { principals, invite_only: true, history_public_to_subscribers: chance(0.5) });
    await subscribe(owner, to, { principals });
    channels.push(from, to);
    const id = noted(
      owner,
      await byPath(owner, '/messages', { type: 'channel', to: from, topic: 'one', content: 'hello' }),
    ).body.id;
    const { body } = await owner.call('GET', '/get_stream_id', { stream: to });
    const answer = await owner.call('PATCH', `/messages/${id}`, { stream_id: body.stream_id });
    await pick(users.slice(1)).call('DELETE', '/users/me/subscriptions', { subscriptions: [from] });
    return { answer };
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
    const answer = await server.owner.call('PATCH', '/realm', {
      message_content_edit_limit_seconds: seconds,
      video_chat_provider: seconds % 2,
      authentication_methods: { Dev: seconds % 2 === 0 },
    });
    return { answer };
  },
  async domains() {
    const { owner } = server;
    const { domains } = await owner.ok('GET', '/realm/domains');
    if (domains.length === 0 || chance(0.4))
      return { answer: await byPath(owner, '/realm/domains', { domain: `d${++made}.test`, allow_subdomains: false }) };
    const { domain, allow_subdomains } = pick<any>(domains);
    const isChange = chance(0.5);
    const change = isChange ? { allow_subdomains: !allow_subdomains } : {};
    return { answer: await owner.call(isChange ? 'PATCH' : 'DELETE', `/realm/domains/${domain}`, change) };
  },
  async playgrounds() {
    const { owner } = server;
    const { realm_playgrounds: known } = (await owner.register({ fetch_event_types: ['realm_playgrounds'] })).state;
    if (known.length > 0 && chance(0.4))
      return { answer: await owner.call('DELETE', `/realm/playgrounds/${pick<any>(known).id}`) };
    const url_template = 'https://play.example/{code}';
    const playground = { name: `Playground ${++made}`, pygments_language: 'Python', url_template };
    return { answer: await byPath(owner, '/realm/playgrounds', playground) };
  },
  async invitations(actor) {
    const { body } = await actor.call('GET', '/invites');
    const own = (body.invites ?? []).filter(({ is_multiuse }: any) => !is_multiuse);
    if (own.length > 0 && chance(0.4)) return { answer: await actor.call('DELETE', `/invites/${pick<any>(own).id}`) };
    const invitee_emails = `invitee${++made}@example.test`;
    return { answer: await byPath(actor, '/invites', { invitee_emails, stream_ids: [] }) };
  },
  async join() {
    const { owner } = server;
    const { streams } = await owner.ok('GET', '/streams');
    const stream_ids = streams.length === 0 ? [] : some<any>(streams).map(({ stream_id }) => stream_id);
    const { user_groups } = await owner.ok('GET', '/user_groups');
    const groups = user_groups.filter(({ is_system_group }: any) => !is_system_group);
    const group_ids = groups.length === 0 ? [] : some<any>(groups).map(({ id }) => id);
    const asked = { invite_as: pick([200, 300, 400, 600]), stream_ids, group_ids };
    const answer = await byPath(owner, '/invites/multiuse', asked);
    const { invite_link } = answer.body;
    const form = await fetchPage(invite_link);
    const person = { email: `joined${++made}@example.test`, full_name: `Joined ${made}`, password: 'a good long one' };
    expect((await submit(form, invite_link, person)).status).toBe(303);
    return { answer };
  },
  async exports() {
    const { owner } = server;
    const { exports } = await owner.ok('GET', '/export/realm');
    const ready = exports.filter((one: any) => one.export_url !== null);
    if (ready.length > 0 && chance(0.5))
      return { answer: await owner.call('DELETE', `/export/realm/${pick<any>(ready).id}`), changed: false };
    return { answer: await byPath(owner, '/export/realm', { export_type: pick([1, 2]) }), changed: false };
  },
  async userDefaults() {
    const settings = {
      enter_sends: chance(0.5),
      web_font_size_px: 10 + (++made % 20),
      email_address_visibility: pick([1, 3, 4]),
    };
    return { answer: await server.owner.call('PATCH', '/realm/user_settings_defaults', settings), changed: false };
  },
  /** Everybody here is new: members are full members, or none is. */
  async wait() {
    const { owner } = server;
    const { state } = await owner.register({ fetch_event_types: ['realm'] });
    const waiting_period_threshold = state.realm_waiting_period_threshold === 0 ? 3 : 0;
    return { answer: await owner.call('PATCH', '/realm', { waiting_period_threshold }) };
  },
  async permission() {
    const { owner } = server;
    const name = pick(['can_create_groups', 'can_create_public_channel_group', 'can_mention_many_users_group']);
    const named = { direct_members: [owner.userId, pick(users).userId], direct_subgroups: [] };
    const value = pick([4, 5, named]);
    return { answer: await owner.call('PATCH', '/realm', { [name]: { new: value } }), changed: false };
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
  /** With nothing unread, the event is none of the log: what comes after it stays unread. */
  async markAll(actor) {
    await actor.ok('POST', '/mark_all_as_read');
    const answer = await actor.call('POST', '/mark_all_as_read');
    const sender = pick(users);
    const message = { type: 'direct', to: [actor.userId], content: words(), read_by_sender: false };
    noted(sender, await byPath(sender, '/messages', message));
    return { answer };
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
    const settings = {
      automatically_follow_topics_policy: pick([1, 2, 3, 4]),
      enter_sends: chance(0.5),
      allow_private_data_export: chance(0.5),
      web_home_view: pick(['inbox', 'recent_topics', 'all_messages']),
      default_language: pick(['de', 'en', 'fr']),
    };
    return { answer: await actor.call('PATCH', '/settings', settings), changed: false };
  },
  async comeOnline(actor) {
    return { answer: await byPath(actor, '/users/me/presence', { status: pick(['active', 'idle']) }), changed: false };
  },
  async status(actor) {
    const { members } = await server.owner.ok('GET', '/users');
    const status = pick([
      { status_text: `Busy ${++made}` },
      { status_text: '' },
      { emoji_name: pick(['tada', 'smile', '']) },
      { away: chance(0.5), status_text: `Away ${made}` },
    ]);
    const path = chance(0.5) ? '/users/me/status' : `/users/${pick<any>(members).user_id}/status`;
    return { answer: await byPath(actor, path, status), changed: false };
  },
  async hideEmail(actor) {
    const email_address_visibility = pick([1, 2, 3, 4, 5]);
    return { answer: await actor.call('PATCH', '/settings', { email_address_visibility }), changed: false };
  },
  async changeEmail() {
    const new_email = `address${++made}@example.test`;
    // Those of the story keep the address that they log in with.
    const { members } = await server.owner.ok('GET', '/users');
    const others = members.filter(({ user_id }: any) => !users.some(({ userId }) => userId === user_id));
    const { user_id, delivery_email } = others.length === 0 ? NOBODY : pick<any>(others);
    // Who hides an address hides that it changes.
    const changed = delivery_email !== null;
    return { answer: await server.owner.call('PATCH', `/users/${user_id}`, { new_email }), changed };
  },
  async moveHome(actor) {
    const timezone = pick(['Europe/Berlin', 'Asia/Tokyo', 'UTC', 'America/Lima']);
    return { answer: await actor.call('PATCH', '/settings', { timezone }), changed: false };
  },
  async profileFields() {
    const { owner } = server;
    const { custom_fields } = await owner.ok('GET', '/realm/profile_fields');
    const ids: number[] = custom_fields.map(({ id }: any) => id);
    const field_data = { [`c${++made}`]: { text: 'One', order: '1' }, c: { text: 'Two', order: '2' } };
    if (ids.length < 2 || chance(0.3)) {
      const kind = pick([{ field_type: 1 }, { field_type: 3, field_data }, { field_type: 6 }, { field_type: 8 }]);
      return { answer: await byPath(owner, '/realm/profile_fields', { name: `Field ${made}`, ...kind }) };
    }
    if (chance(0.3)) return { answer: await owner.call('PATCH', '/realm/profile_fields', { order: ids.reverse() }) };
    const { id, type } = pick<any>(custom_fields);
    if (chance(0.3)) return { answer: await owner.call('DELETE', `/realm/profile_fields/${id}`) };
    const change = type === 3 ? { field_data } : { hint: `Hint ${made}` };
    return { answer: await owner.call('PATCH', `/realm/profile_fields/${id}`, change) };
  },
  async profile(actor) {
    const { custom_fields } = await actor.ok('GET', '/realm/profile_fields');
    if (custom_fields.length === 0) return actions['profileFields']!(actor);
    const { id, type, field_data } = pick<any>(custom_fields);
    const choices = type === 3 ? Object.keys(JSON.parse(field_data)) : ['**bold**', `plain ${++made}`, ''];
    const value = type === 6 ? [pick(users).userId] : pick(choices);
    const answer = chance(0.7)
      ? await actor.call('PATCH', '/users/me/profile_data', { data: [{ id, value }] })
      : await actor.call('DELETE', '/users/me/profile_data', { data: [id] });
    return { answer, changed: false };
  },
  async onboard(actor) {
    const onboarding_step = pick(['intro_inbox_view_modal', 'intro_resolve_topic', 'navigation_tour_video']);
    return { answer: await byPath(actor, '/users/me/onboarding_steps', { onboarding_step }), changed: false };
  },
  async share(actor) {
    return { answer: await actor.call('PATCH', '/settings', { presence_enabled: chance(0.5) }), changed: false };
  },
  async group(actor) {
    const { user_groups } = await actor.ok('GET', '/user_groups');
    const members = some(users).map(({ userId }) => userId);
    const subgroups = chance(0.5) ? [pick<any>(user_groups).id] : [];
    const asked = { name: `group ${++made}`, description: '', members, subgroups };
    return { answer: await byPath(actor, '/user_groups/create', asked) };
  },
  async changeGroup(actor) {
    const id = await anyGroup(actor);
    const setting = pick(['can_join_group', 'can_leave_group', 'can_manage_group', 'can_mention_group']);
    const value = chance(0.5) ? await anyGroup(actor) : { direct_members: [pick(users).userId], direct_subgroups: [] };
    const asked = chance(0.5)
      ? { name: `group ${++made}` }
      : { description: `Made ${++made}`, [setting]: { new: value } };
    return { answer: await actor.call('PATCH', `/user_groups/${id}`, asked), changed: false };
  },
  async joinGroup(actor) {
    const list = { [pick(['add', 'delete'])]: [pick(users).userId] };
    return { answer: await byPath(actor, `/user_groups/${await anyGroup(actor)}/members`, list) };
  },
  async nestGroup() {
    const { owner } = server;
    const { user_groups } = await owner.ok('GET', '/user_groups');
    const id = await anyGroup(owner);
    const { direct_subgroup_ids } = user_groups.find((group: any) => group.id === id) ?? { direct_subgroup_ids: [] };
    const removes = direct_subgroup_ids.length > 0 && chance(0.4);
    const list = removes ? { delete: [pick(direct_subgroup_ids)] } : { add: [pick<any>(user_groups).id] };
    return { answer: await byPath(owner, `/user_groups/${id}/subgroups`, list) };
  },
  /** In the end settings name most groups, which are then in use; a new one is not. */
  async deactivateGroup(actor) {
    const { owner } = server;
    const created = chance(0.5) ? await actions['group']!(actor) : undefined;
    const id = created?.answer.body.group_id ?? (await anyGroup(owner));
    return { answer: await byPath(owner, `/user_groups/${id}/deactivate`, {}) };
  },
  async reactivateGroup(actor) {
    const { user_groups } = await actor.ok('GET', '/user_groups', { include_deactivated_groups: true });
    const gone = user_groups.filter(({ deactivated }: any) => deactivated);
    const { id } = pick<any>(gone.length === 0 ? user_groups : gone);
    return {
      answer: await actor.call('PATCH', `/user_groups/${id}`, { deactivated: false }),
      changed: gone.length > 0,
    };
  },
  async draft(actor) {
    const content = `${words()} ${++made}`;
    const { body } = await actor.call('GET', '/streams');
    const addressees = [
      { type: 'stream', to: [pick<any>(body.streams).stream_id], topic: pick(TOPICS) },
      { type: 'private', to: some(users).map(({ userId }) => userId), topic: '' },
      { type: '', to: [], topic: '' },
    ];
    const draft = { ...pick(addressees), content, ...(chance(0.3) ? { timestamp: below(1e9) } : {}) };
    const { drafts } = await actor.ok('GET', '/drafts');
    if (drafts.length === 0 || chance(0.4))
      return { answer: await byPath(actor, '/drafts', { drafts: [draft, draft] }) };
    const { id } = pick<any>(drafts);
    if (chance(0.5)) return { answer: await actor.call('PATCH', `/drafts/${id}`, { draft }) };
    return { answer: await actor.call('DELETE', `/drafts/${id}`) };
  },
  async schedule(actor) {
    const list = async (): Promise<any[]> => (await actor.ok('GET', '/scheduled_messages')).scheduled_messages;
    const [scheduled, { body }] = [await list(), await actor.call('GET', '/streams')];
    const addressees = [
      { type: 'channel', to: pick<any>(body.streams).stream_id, topic: pick(TOPICS) },
      { type: 'direct', to: some(users).map(({ userId }) => userId) },
    ];
    const time = scheduledTime();
    const content = `${words()} ${++made}`;
    const message = { ...pick<object>(addressees), content, scheduled_delivery_timestamp: time };
    const path = `/scheduled_messages/${scheduled.length === 0 ? '' : pick<any>(scheduled).scheduled_message_id}`;
    const answer =
      scheduled.length === 0 || chance(0.5)
        ? await byPath(actor, '/scheduled_messages', message)
        : await actor.call(pick(['PATCH', 'DELETE']), path, message);
    await untilDelivered(list);
    return { answer };
  },
  async remind(actor) {
    const list = async (): Promise<any[]> => (await actor.ok('GET', '/reminders')).reminders;
    const reminders = await list();
    if (reminders.length > 0 && chance(0.3))
      return { answer: await actor.call('DELETE', `/reminders/${pick<any>(reminders).reminder_id}`) };
    const { messages } = await actor.ok('GET', '/messages', { anchor: 'newest', num_before: 20, num_after: 0 });
    const id: number = messages.length === 0 ? 0 : pick<any>(messages).id;
    const reminder = { message_id: id, scheduled_delivery_timestamp: scheduledTime(), note: words() };
    const answer = await byPath(actor, '/reminders', reminder);
    await untilDelivered(list);
    return { answer };
  },
  async device(actor) {
    const { state } = await actor.register({ event_types: [], fetch_event_types: ['device'] });
    const ids = Object.keys(state.devices).map(Number);
    if (ids.length < 2 || chance(0.5)) return { answer: await byPath(actor, '/register_client_device', {}) };
    return { answer: await byPath(actor, '/remove_client_device', { device_id: pick(ids) }) };
  },
  async snippet(actor) {
    const snippet = { title: `Snippet ${++made}`, content: words() };
    const { saved_snippets } = await actor.ok('GET', '/saved_snippets');
    if (saved_snippets.length === 0 || chance(0.4)) return { answer: await byPath(actor, '/saved_snippets', snippet) };
    const path = `/saved_snippets/${pick<any>(saved_snippets).id}`;
    return { answer: await actor.call(pick(['PATCH', 'DELETE']), path, snippet) };
  },
  async view(actor) {
    const name = `View ${++made}`;
    const { navigation_views } = await actor.ok('GET', '/navigation_views');
    if (navigation_views.length === 0 || chance(0.4)) {
      const view = { fragment: `narrow/search/${made}`, name, is_pinned: chance(0.5) };
      return { answer: await byPath(actor, '/navigation_views', view) };
    }
    const path = `/navigation_views/${encodeURIComponent(pick<any>(navigation_views).fragment)}`;
    return { answer: await actor.call(pick(['PATCH', 'DELETE']), path, { name }) };
  },
  async bot(actor) {
    const name = `Bot ${++made}`;
    const { bots } = await actor.ok('GET', '/bots');
    if (bots.length === 0 || chance(0.4)) {
      const bot = { full_name: name, short_name: `bot${made}`, bot_type: pick([1, 2]) };
      return { answer: await byPath(actor, '/bots', { ...bot, ...defaultChannels() }) };
    }
    const { members } = await actor.ok('GET', '/users');
    const { user_id } = members.find(({ email }: any) => email === pick<any>(bots).username) ?? members[0];
    if (chance(0.2)) return { answer: await byPath(actor, `/bots/${user_id}/api_key/regenerate`, {}) };
    if (chance(0.2)) return { answer: await actor.call('DELETE', `/bots/${user_id}`) };
    const changes = chance(0.3) ? { bot_owner_id: pick(users).userId } : { full_name: name, ...defaultChannels() };
    return { answer: await actor.call('PATCH', `/bots/${user_id}`, changes), changed: 'full_name' in changes };
  },
  async emoji(actor) {
    const known: any[] = Object.values((await actor.ok('GET', '/realm/emoji')).emoji);
    const { name } = pick(known.length === 0 ? [{ name: 'none' }] : known);
    const answer = chance(0.6)
      ? await upload(server, actor, { path: `/realm/emoji/emoji${++made}`, files: [pick(pictures)] })
      : await actor.call('DELETE', `/realm/emoji/${name}`);
    return { answer };
  },
  async branding() {
    const { owner } = server;
    const path = pick(['/realm/icon', '/realm/logo', '/realm/logo?night=true']);
    const answer = chance(0.7)
      ? await upload(server, owner, { path, files: [pick(pictures)] })
      : await owner.call('DELETE', path);
    // A picture that is not there is not removed.
    return { answer, changed: false };
  },
  async avatar(actor) {
    const file = pick(pictures);
    const answer = chance(0.6)
      ? await upload(server, actor, { path: '/users/me/avatar', files: [file] })
      : await actor.call('DELETE', '/users/me/avatar');
    // A picture that is not there is not removed.
    return { answer, changed: false };
  },
  async deactivate() {
    const { members } = await server.owner.ok('GET', '/users');
    const others = members.filter(
      ({ user_id, is_active }: any) => is_active && !users.some(({ userId }) => userId === user_id),
    );
    const { user_id } = others.length === 0 ? NOBODY : pick<any>(others);
    return { answer: await server.owner.call('DELETE', `/users/${user_id}`) };
  },
  async reactivate() {
    const { members } = await server.owner.ok('GET', '/users');
    const gone = members.filter(({ is_active }: any) => !is_active);
    const { user_id } = pick<any>(gone.length === 0 ? members : gone);
    return { answer: await byPath(server.owner, `/users/${user_id}/reactivate`, {}), changed: gone.length > 0 };
  },
  async changeAccount() {
    const { members } = await server.owner.ok('GET', '/users');
    const others = members.filter(({ user_id }: any) => !users.some(({ userId }) => userId === user_id));
    const { user_id, role } = others.length === 0 ? NOBODY : pick<any>(others);
    const changes = chance(0.5)
      ? { full_name: `Renamed ${++made}` }
      : { role: pick([200, 300, 400, 600].filter((one) => one !== role)) };
    return { answer: await server.owner.call('PATCH', `/users/${user_id}`, changes) };
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
  'disclose',
  'disclose',
  'discloseNew',
  'discloseNew',
  'react',
  'react',
  'remove',
  'removeTopic',
  'refill',
  'realm',
  'domains',
  'playgrounds',
  'exports',
  'invitations',
  'invitations',
  'userDefaults',
  'wait',
  'permission',
  'linkifiers',
  'flag',
  'flag',
  'flag',
  'markTopic',
  'markTopic',
  'markAll',
  'group',
  'changeGroup',
  'joinGroup',
  'joinGroup',
  'nestGroup',
  'nestGroup',
  'deactivateGroup',
  'reactivateGroup',
];
const deck = [
  ...OFTEN,
  'deactivate',
  'reactivate',
  'changeAccount',
  'mute',
  'see',
  'see',
  'alert',
  'set',
  'comeOnline',
  'share',
  'profileFields',
  'profileFields',
  'profile',
  'profile',
  'onboard',
  'moveHome',
  'hideEmail',
  'hideEmail',
  'changeEmail',
  'status',
  'status',
  'draft',
  'draft',
  'schedule',
  'schedule',
  'remind',
  'snippet',
  'device',
  'avatar',
  'emoji',
  'branding',
  'bot',
  'bot',
  'view',
  'create',
  'changeChannel',
  'changeChannel',
  'changeChannel',
  'showToGroup',
  'showToGroup',
  'showToGroup',
  'changeRole',
  'changeRole',
  'archive',
  'unarchive',
  'subscribe',
  'subscribe',
  'subscribeToMany',
  'subscribeToMany',
  'setSubscription',
  'setSubscription',
  'joinAndLeave',
  'defaults',
  'defaults',
  'folder',
  'folder',
  'unsubscribe',
  'unsubscribe',
];

/** Default channels of a bot, public and private ones. */
function defaultChannels(): object {
  const name = chance(0.5) ? '' : `channel ${below(made) + 1}`;
  return chance(0.5) ? {} : { default_sending_stream: name, default_all_public_streams: chance(0.5) };
}

async function expectSame(follower: Follower, story: string): Promise<void> {
  const fresh = comparable(await follower.fresh());
  learnFirstMessages(follower.state, fresh);
  const known = comparable(follower.state);
  // What `expect` takes a while to find out.
  if (isDeepStrictEqual(known, fresh)) return;
  try {
    expect(known).toEqual(fresh);
  } catch (error) {
    const told = JSON.stringify(follower.told, undefined, 1).slice(0, 4000);
    throw new Error(`${story}\n${told}\n${(error as Error).message}`, { cause: error });
  }
}

/** The follower knows what a newcomer knows, and has been told all that it received and nothing that it may not see. */
async function expectKnowing(follower: Follower, story: string): Promise<void> {
  await expectSame(follower, `${story}, as ${follower.name} knows it`);
  expect([story, follower.name, await follower.toldTooMuch()]).toEqual([story, follower.name, []]);
  expect([story, follower.name, await follower.toldTooLittle()]).toEqual([story, follower.name, []]);
}

/** Those without an account have no events: each is shown the web-public channels that the owner was told of. */
async function expectPublicAlone({ state }: Follower, story: string): Promise<void> {
  const { status, body } = await exchange(`${server.url}/api/v1/register`, { method: 'POST' });
  const isPublic = ({ is_web_public, is_archived }: any): boolean => is_web_public && !is_archived;
  const expected = state.streams!.filter(isPublic).map(({ stream_id }) => stream_id);
  const shown = body.streams.map(({ stream_id }: any) => stream_id);
  expect([story, status, shown]).toEqual([story, 200, expected]);
}

beforeAll(async () => {
  random = seeded(SEED);
  server = await startTestServer({ DEV_LOGIN: 'on' });
  pictures = [await picture(8, 8, 10), await picture(8, 8, 200)];
  users = [server.owner, await server.user('Ann Archer'), await server.user('Ben Baker')];
  await server.owner.ok('PATCH', '/realm', { send_channel_events_messages: true, enable_spectator_access: true });
  server.owner.userId = (await server.owner.ok('GET', '/users/me')).user_id;
  const guest = await server.user('Gail Guest');
  await server.owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
  users.push(guest);
  for (let count = 0; count < 3; count++) await actions['create']!(pick(users));
  for (let count = 0; count < 12; count++) await actions[chance(0.7) ? 'send' : 'write']!(pick(users));
});
afterAll(() => server.stop());

test('the state that a client was told, and the events since, are the state that it would be told now', async () => {
  const followers = await Promise.all(
    users.flatMap((user) => [
      Follower.of(user, 'modern', MODERN),
      Follower.of(user, 'legacy', LEGACY),
      Follower.of(user, 'lazy', someParameters()),
    ]),
  );
  const missing = new Set(Object.keys(actions));
  for (let step = 1; step <= ACTIONS || (missing.size > 0 && step <= ACTIONS_MAX); step++) {
    const name =
      step > ACTIONS ? pick([...missing]) : step % 40 === 0 ? 'account' : step % 40 === 20 ? 'join' : pick(deck);
    const actor = pick(users);
    const { answer, changed = true } = await actions[name]!(actor);
    expect([name, answer.status < 500]).toEqual([name, true]);
    if (answer.status === 200) missing.delete(name);
    if (/^(changeChannel|showToGroup)$/.test(name)) for (const follower of followers) follower.mayHaveNotice = true;
    const told: any[] = [];
    const polling = followers.filter(({ isLazy }) => !isLazy || chance(POLLS_OF_LAZY));
    for (const follower of polling) told.push(...(await follower.follow()));
    const story = `seed ${SEED}, step ${step}: ${name} by ${actor.email}: ${answer.text.slice(0, 200)}`;
    if (answer.status === 200 && changed) expect([story, told.length > 0]).toEqual([story, true]);
    if (/^(changeChannel|archive|unarchive)$/.test(name)) await expectPublicAlone(followers[0]!, story);
    const isCompared = (index: number): boolean => (index + step * COMPARED) % polling.length < COMPARED;
    const isDisclosed = name === 'discloseNew';
    const compared = polling.filter(({ isLazy }, index) => isLazy || isDisclosed || isCompared(index));
    for (const follower of compared) await expectKnowing(follower, story);
  }
  for (const follower of followers) {
    await follower.follow();
    await expectKnowing(follower, `seed ${SEED}, at the end`);
  }
  await expectPublicAlone(followers[0]!, 'at the end');
  // The story has to be about everything.
  if (GOES_ON) expect([...missing]).toEqual([]);
}, 960_000);

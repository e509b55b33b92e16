import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { botsPart } from '#bots/model';
import { CommandRunner, EventRegistry, SqliteEventStore, streams, ReadBarrier, type RecordedEvent } from '#event-store';
import { EphemeralEvents } from '#feed';
import { BY_SERVER } from '#kernel';
import {
  type MessageEvent,
  messageEventTypes,
  messagesCollection,
  messagesProjection,
  type MessageSent,
  type MessagesMoved,
  MessagesReader,
} from '#messages';
import { newChannel } from '#channels/model';
import { Directory, organizationEventTypes, type OrganizationEvent } from '#people';
import { ROLE, type User } from '#users/model';
import { SYSTEM_GROUPS } from '#groups/model';
import { customEmojiPart } from '#pictures/model';
import { preferencesEventTypes, type PreferencesEvent, preferencesPart } from '#preferences/model';
import {
  LocalBroadcast,
  SqliteReadStore,
  SqliteKeyValueStore,
  type Collection,
  type Projection,
  type Write,
} from '#read-store';
import { linkifiersPart } from '#realm/model';
import { ManualClock } from '#testing';
import { flagsChanged } from './flags/flags.events.js';
import { readingProjections } from './reading-projections.js';
import { MarkRead } from './mark/mark-read.js';
import { conversationsCollection } from './topics/conversation.document.js';
import { messageVersionsCollection } from './versions/message-versions.projection.js';
import { userFlagsCollection } from './flags/user-flags.projection.js';
import { ConversationsReader } from './topics/conversations.reader.js';
import { FlagsReader } from './flags/flags.reader.js';
import { MessageVersionsReader } from './versions/message-versions.reader.js';
import { NarrowReader } from './narrow/narrow-reader.js';
import { PropertyTerms } from './narrow/property-terms.js';
import { NarrowedMessages } from './narrow/narrowed-messages.js';
import { DeliveredFilter } from './viewer/delivered-filter.js';
import { ViewerMessages } from './viewer/viewer-messages.js';
import { KeptRows } from './recent/kept-rows.js';
import { RecentMessages } from './recent/recent-messages.js';
import { UnreadReader } from './unread/unread.reader.js';

const projections = [messagesProjection, ...readingProjections];
const registry = new EventRegistry([
  ...organizationEventTypes,
  ...preferencesEventTypes,
  ...messageEventTypes,
  flagsChanged,
]);

/**
 * Applies the log to the directory and the read store as soon as somebody waits for it: the same events without an
 * engine.
 */
class AtOnce extends ReadBarrier {
  position = 0;

  constructor(private readonly take: () => Promise<number>) {
    super();
  }

  override assertAccepting(): void {
    // Always accepts.
  }

  override async waitFor(position: number): Promise<void> {
    if (position > this.position) this.position = await this.take();
  }
}

/** A log, its read side, and all its readers: real stores in their own directory. */
export class ReadSideFixture {
  readonly directory = new Directory([linkifiersPart, customEmojiPart, preferencesPart, botsPart]);
  readonly clock = new ManualClock();
  readonly runner: CommandRunner;
  readonly messages: MessagesReader;
  readonly versions: MessageVersionsReader;
  readonly conversations: ConversationsReader;
  readonly flags: FlagsReader;
  readonly seen: ViewerMessages;
  readonly own: DeliveredFilter;
  readonly recent: RecentMessages;
  readonly unread: UnreadReader;
  readonly narrows: NarrowReader;
  readonly narrowed: NarrowedMessages;
  readonly announcer = new EphemeralEvents(new LocalBroadcast());
  readonly markRead: MarkRead;
  /** Called before the directory applies what is in the read store already, as in a process that only reads that. */
  beforeDirectory: (() => Promise<unknown>) | undefined;
  readonly #barrier: AtOnce;
  #checkpoint: string | undefined;

  private constructor(
    private readonly folder: string,
    readonly events: SqliteEventStore,
    readonly store: SqliteReadStore,
    readonly side: SqliteKeyValueStore,
    private readonly collections: ReadonlyMap<string, Collection<object>>,
  ) {
    this.#barrier = new AtOnce(() => this.#project());
    this.runner = new CommandRunner(events, this.#barrier);
    this.messages = new MessagesReader(this.#collection(messagesCollection.name));
    this.versions = new MessageVersionsReader(this.#collection(messageVersionsCollection.name));
    this.conversations = new ConversationsReader(this.#collection(conversationsCollection.name));
    this.flags = new FlagsReader(this.#collection(userFlagsCollection.name));
    this.seen = new ViewerMessages(this.directory, this.flags);
    this.own = new DeliveredFilter(this.directory, this.flags);
    this.recent = this.recentMessages();
    this.unread = this.freshUnread();
    const properties = new PropertyTerms(this.directory, this.flags, this.unread);
    this.narrows = new NarrowReader(this.directory, this.messages, this.conversations, properties);
    const { directory, messages, own, seen, narrows, unread } = this;
    this.narrowed = new NarrowedMessages(directory, messages, own, seen, narrows, unread);
    this.markRead = new MarkRead(this.unread, this.runner, this.clock, this.announcer, this.directory);
  }

  static async create(): Promise<ReadSideFixture> {
    const folder = await mkdtemp(join(tmpdir(), 'messages-'));
    const events = SqliteEventStore.open(join(folder, 'events'), registry);
    const store = new SqliteReadStore(join(folder, 'read'));
    const side = new SqliteKeyValueStore(join(folder, 'side'));
    const collections = new Map<string, Collection<object>>();
    for (const { collection } of projections) collections.set(collection.name, await store.collection(collection));
    const fixture = new ReadSideFixture(folder, events, store, side, collections);
    const groups = SYSTEM_GROUPS.map((group) => ({ ...group, directSubgroups: [...group.directSubgroups] }));
    await fixture.record({ type: 'organization.created.v1', data: { uuid: 'u', name: 'Test', at: 1, groups } });
    return fixture;
  }

  async destroy(): Promise<void> {
    await this.events.close();
    await this.side.close();
    await this.store.close();
    await rm(this.folder, { recursive: true });
  }

  /** A reader of unread messages with empty caches, as after a restart. */
  freshUnread(chunks?: number): UnreadReader {
    const { messages, own, flags, seen, side, directory } = this;
    return new UnreadReader(messages, own, flags, seen, side, directory, this.recentMessages(chunks));
  }

  /**
   * The newest messages in memory, as after a start.
   * @param chunks maximum number of chunks; the usual one by default
   * @param keptEvery number of events after which they are kept
   */
  recentMessages(chunks?: number, messages = this.messages, keptEvery?: number): RecentMessages {
    const kept = new KeptRows(this.side, this.events);
    return new RecentMessages(this.directory, messages, this.#barrier, kept, chunks, keptEvery);
  }

  async record(...events: readonly OrganizationEvent[]): Promise<void> {
    await this.runner.appendOnly(streams.organization, events, BY_SERVER);
  }

  /** Records a user's own setting. */
  async prefer(fact: PreferencesEvent): Promise<void> {
    await this.runner.appendOnly(streams.user(fact.data.userId), [fact], BY_SERVER);
  }

  async user(email: string, role: number = ROLE.member): Promise<User> {
    const userId = this.directory.nextUserId;
    await this.record({
      type: 'user.created.v1',
      data: { userId, email, fullName: email, role, botType: null, botOwnerId: null, timezone: '', at: 1 },
    });
    return this.again({ userId });
  }

  /** The current state of the user. */
  again({ userId }: Pick<User, 'userId'>): User {
    const user = this.directory.user(userId);
    if (user === undefined) throw new Error(`There is no user ${userId}.`);
    return user;
  }

  async channel(name: string, kind: 'public' | 'private' | 'protected', ...subscribers: User[]): Promise<number> {
    const channelId = this.directory.nextChannelId;
    const inviteOnly = kind !== 'public';
    const historyPublicToSubscribers = kind !== 'protected';
    await this.record(newChannel({ channelId, name, inviteOnly, historyPublicToSubscribers, at: 1 }));
    if (subscribers.length > 0) await this.subscribe(channelId, ...subscribers);
    return channelId;
  }

  async subscribe(channelId: number, ...users: User[]): Promise<void> {
    const subscribers = users.map(({ userId }) => ({ userId, color: '#aaaaaa' }));
    await this.record({ type: 'channel.subscribed.v1', data: { channelId, subscribers, by: null, at: 1 } });
  }

  async unsubscribe(channelId: number, ...users: User[]): Promise<void> {
    const userIds = users.map(({ userId }) => userId);
    await this.record({ type: 'channel.unsubscribed.v1', data: { channelId, userIds, by: 1, at: 1 } });
  }

  /**
   * Sends a message to a topic or to users.
   * @returns its ID
   */
  async send(
    sender: User,
    to: { channelId: number; topic: string } | readonly User[],
    more: Partial<MessageSent['data']> = {},
  ): Promise<number> {
    const place =
      'channelId' in to ? to : { to: [...new Set([sender, ...to].map(({ userId }) => userId))].sort((a, b) => a - b) };
    const data = { senderId: sender.userId, ...place, content: 'hi', client: 'test', at: 100, ...more };
    const { lastRevision } = await this.runner.appendOnly(
      streams.messages,
      [{ type: 'message.sent.v1', data }],
      BY_SERVER,
    );
    return lastRevision + 1;
  }

  /** Records events of a message, in its own stream. */
  async change(messageId: number, ...facts: readonly MessageEvent[]): Promise<void> {
    await this.runner.appendOnly(streams.message(messageId), facts, BY_SERVER);
  }

  /** Moves a message between topics, of one channel or of two. */
  move(
    by: User,
    id: number,
    moved: Pick<MessagesMoved['data'], 'from' | 'to'> & Partial<MessagesMoved['data']>,
  ): Promise<void> {
    const data = { targetId: id, ids: [[id, id]] as const, firstId: id, by: by.userId, at: 1, ...moved };
    return this.change(id, { type: 'messages.moved.v1', data: { propagateMode: 'change_one', ...data } });
  }

  #collection<Doc extends object>(name: string): Collection<Doc> {
    return this.collections.get(name) as Collection<Doc>;
  }

  async #project(): Promise<number> {
    const after = this.#checkpoint === undefined ? {} : { after: this.#checkpoint };
    const events: RecordedEvent[] = [];
    for await (const page of this.events.readAll(after)) events.push(...page);
    for (const event of events) await this.#take(event);
    await this.beforeDirectory?.();
    for (const event of events) this.directory.apply(event);
    return this.directory.position;
  }

  async #take(event: RecordedEvent): Promise<void> {
    const writes: Write[] = [];
    for (const projection of projections)
      if (projection.handles.has(event.type)) writes.push(...(await this.#writesOf(projection, event)));
    await this.store.commit({ writes, position: event.position });
    this.#checkpoint = this.events.checkpointAfter(event);
  }

  async #writesOf(projection: Projection<object>, event: RecordedEvent): Promise<Write[]> {
    const collection = projection.collection.name;
    const keys = projection.keys(event).map(({ key }) => key);
    const docs = await this.#collection<object>(collection).getMany(keys);
    return keys.map((key) => ({ collection, key, doc: projection.evolve(docs.get(key), event, key) }));
  }
}

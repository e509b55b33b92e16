import type { EventStore, RecordedEvent } from '#event-store';
import { streams } from '#event-store';
import { type OrganizationEvent, Directory } from '#people';
import { SYSTEM_GROUPS } from '#groups/model';
import { newChannel } from '#channels/model';
import type { CollectionSchema, FieldsRow, Filter, Find, Key, Stored, ReadStore } from '#read-store';
import { Collection, LocalBroadcast } from '#read-store';
import { ManualClock, MemoryKeyValueStore } from '#testing';
import type { ClientEvent, FeedEntry, Presentable, QueueSettings, Recipient } from './log/feed-entry.js';
import { ClientEvents } from './log/feed-entry.js';
import type { Feed } from './feed.js';
import { openFeed } from './feed.js';

/** Documents by key, as JSON text, so that stored documents cannot be changed from outside. */
export class MemoryCollection<Doc extends object> extends Collection<Doc> {
  readonly texts = new Map<number, string>();
  /** Documents that searches have returned. */
  read = 0;

  constructor(readonly schema: CollectionSchema) {
    super();
  }

  async get(key: Key): Promise<Doc | undefined> {
    const text = this.texts.get(key as number);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async getMany(keys: readonly Key[]): Promise<Map<Key, Doc>> {
    const found = new Map<Key, Doc>();
    for (const key of keys) {
      const doc = await this.get(key);
      if (doc !== undefined) found.set(key, doc);
    }
    return found;
  }

  async find({ where, sort, limit }: Find): Promise<readonly Stored<Doc>[]> {
    const keys = [...this.texts.keys()].filter((key) => inRange(where, key)).sort((a, b) => a - b);
    if (sort?.[0]?.direction === 'descending') keys.reverse();
    const found = keys.slice(0, limit).map((key) => ({ key, doc: JSON.parse(this.texts.get(key)!) }));
    this.read += found.length;
    return found;
  }

  async findFields(): Promise<readonly FieldsRow[]> {
    throw new Error('Nobody asks for fields here.');
  }

  async count(): Promise<number> {
    return this.texts.size;
  }
}

function inRange(filter: Filter | undefined, key: number): boolean {
  if (filter === undefined) return true;
  if (filter.op !== 'range' || filter.field !== '$key') throw new Error('Only ranges of keys are understood here.');
  const { gt = -Infinity, lte = Infinity } = filter as { gt?: number; lte?: number };
  return gt < key && key <= lte;
}

interface Said {
  readonly audience: FeedEntry['audience'];
  readonly n: number;
  readonly times?: number;
  readonly bytes?: number;
}

/** Client events of the tests' events: data name the audience, and the number of client events per recipient. */
export class SampleEvents extends ClientEvents {
  override readonly on = {
    'message.sent.v1': ({ data: { audience, n, times = 1, bytes = 0 } }: RecordedEvent<Said>): readonly FeedEntry[] => [
      { type: 'message', audience, body: { n, times, bytes } },
    ],
    'organization.renamed.v1': ({ data: { n, times = 1 } }: RecordedEvent<Said>): readonly FeedEntry[] => [
      { type: 'realm', audience: { to: 'everyone' }, body: { n, times } },
    ],
  };
  override readonly types = new Set(['message', 'realm', 'typing']);
  prepares = 0;
  failing = false;
  /** While set, `prepare` waits for it. */
  gate: Promise<void> | undefined;

  override async prepare(entries: readonly Presentable[]): Promise<ReadonlySet<Presentable>> {
    const { gate } = this;
    this.prepares++;
    await new Promise(setImmediate);
    await gate;
    return new Set(entries);
  }

  override present(presentable: Presentable, _: Recipient, prepared: unknown): readonly ClientEvent[] {
    if (this.failing) throw new Error('Cannot be presented.');
    if (presentable.entry.type === 'typing') return [{ type: 'typing', n: presentable.entry.body.n }];
    if (!(prepared as ReadonlySet<Presentable>).has(presentable)) throw new Error('Presented without being prepared.');
    const { type, body } = presentable.entry;
    return Array.from({ length: body.times as number }, (_unused, part) => ({
      type,
      message: { n: body.n, part, ...(body.bytes === 0 ? {} : { text: 'x'.repeat(body.bytes as number) }) },
    }));
  }
}

export const settingsOf = (changes: Partial<QueueSettings> = {}): QueueSettings => ({
  clientName: 'test',
  applyMarkdown: true,
  clientGravatar: true,
  slimPresence: true,
  includeSubscribers: false,
  allPublicChannels: false,
  eventTypes: null,
  narrow: [],
  capabilities: [],
  ...changes,
});

const AT = 1_700_000_000;

export const created: OrganizationEvent = {
  type: 'organization.created.v1',
  data: { uuid: 'u', name: 'Test', at: AT, groups: SYSTEM_GROUPS.map((group) => ({ ...group, directSubgroups: [] })) },
};

export const userCreated = (userId: number): OrganizationEvent => ({
  type: 'user.created.v1',
  data: {
    userId,
    email: `user${userId}@example.com`,
    fullName: `User ${userId}`,
    role: 400,
    botType: null,
    botOwnerId: null,
    timezone: '',
    at: AT,
  },
});

export const channelCreated = (channelId: number, inviteOnly = false): OrganizationEvent =>
  newChannel({ channelId, name: `channel ${channelId}`, inviteOnly, at: AT });

export const subscribed = (channelId: number, userId: number): OrganizationEvent => ({
  type: 'channel.subscribed.v1',
  data: { channelId, subscribers: [{ userId, color: '#aaaaaa' }], by: null, at: AT },
});

export const unsubscribed = (channelId: number, userId: number): OrganizationEvent => ({
  type: 'channel.unsubscribed.v1',
  data: { channelId, userIds: [userId], by: userId, at: AT },
});

/** A log and its read side in memory, whose server can be killed and started again. */
export class FeedWorld {
  readonly clock = new ManualClock();
  readonly side = new MemoryKeyValueStore();
  readonly broadcast = new LocalBroadcast();
  readonly log: RecordedEvent[] = [];
  readonly documents = new MemoryCollection<object>({ name: 'feed', key: 'integer', fields: {}, indexes: [] });
  readonly events = new SampleEvents();
  readonly errors: unknown[] = [];
  directory = new Directory();
  feed!: Feed;
  /** Position up to which documents are committed. */
  committed = 0;
  /** Positions between events, as on stores that count bytes. */
  stride = 1;

  constructor(
    private readonly options: {
      heartbeatSeconds?: number;
      idleLimitSeconds?: number;
      /** Parts of features' own. */
      parts?: ConstructorParameters<typeof Directory>[0];
    } = {},
  ) {}

  /** Starts a server on the stored data. */
  async start(): Promise<this> {
    this.directory = new Directory(this.options.parts);
    const readStore = { collection: async () => this.documents } as unknown as ReadStore;
    const store = {
      readStream: async (stream: string, { from = 0, limit = 1 }) =>
        this.log.filter((event) => event.stream === stream && event.revision >= from).slice(0, limit),
    } as unknown as EventStore;
    this.feed = await openFeed({
      directory: this.directory,
      features: [this.events],
      readStore,
      side: this.side,
      store,
      clock: this.clock,
      broadcast: this.broadcast,
      onError: (error) => this.errors.push(error),
      ...this.options,
    });
    const { follower, queues } = this.feed;
    const restored = (await follower.restore(this.committed))?.position ?? 0;
    this.#follow(this.log.filter(({ position }) => position > restored));
    await queues.start();
    return this;
  }

  /** Appends events as one batch and commits the resulting documents. */
  record(facts: readonly { type: string; data: object }[]): void {
    const events = facts.map(({ type, data }) => {
      const stream = type === 'message.sent.v1' ? streams.messages : streams.organization;
      const revision = this.log.filter((event) => event.stream === stream).length;
      const position = (this.log.length + 1) * this.stride;
      const recordedAtMs = this.clock.nowMs();
      const event: RecordedEvent = {
        position,
        stream,
        revision,
        id: `e${position}`,
        type,
        data,
        metadata: {},
        recordedAtMs,
      };
      this.log.push(event);
      return event;
    });
    this.#follow(events);
  }

  say(n: number, audience: FeedEntry['audience'], times = 1, bytes = 0): { type: string; data: object } {
    return { type: 'message.sent.v1', data: { n, audience, times, bytes } };
  }

  /** Polls without waiting. */
  async fetch(queueId: string, userId: number, lastEventId: number): Promise<any[] | 'gone'> {
    const polled = await this.feed.queues.poll(queueId, userId, lastEventId, true);
    if (polled.kind === 'gone') return 'gone';
    if (polled.kind === 'wait') throw new Error('It was not to wait.');
    return JSON.parse(polled.events);
  }

  /** Polls, and waits if necessary. */
  async wait(queueId: string, userId: number, lastEventId: number): Promise<any[] | 'gone'> {
    const polled = await this.feed.queues.poll(queueId, userId, lastEventId, false);
    if (polled.kind === 'gone') return 'gone';
    if (polled.kind === 'events') return JSON.parse(polled.events);
    return new Promise((resolve) => {
      polled.held.onAnswer((events) => {
        resolve(JSON.parse(events));
      });
    });
  }

  register(userId: number, settings = settingsOf(), lifespanSeconds = 0) {
    return this.feed.queues.register(this.directory.user(userId)!, settings, lifespanSeconds);
  }

  #follow(events: readonly RecordedEvent[]): void {
    const { follower } = this.feed;
    const told: RecordedEvent[] = [];
    for (const event of events) {
      const write = event.position > this.committed;
      for (const { key, doc } of follower.follow(event, write)) {
        this.documents.texts.set(key as number, JSON.stringify(doc));
      }
      if (write) told.push(event);
    }
    for (const { below } of follower.prunes()) {
      for (const key of this.documents.texts.keys()) if (key < (below as number)) this.documents.texts.delete(key);
    }
    const last = told.at(-1);
    if (last === undefined) return;
    this.committed = last.position;
    follower.committed(told, { checkpoint: String(last.position), position: last.position });
  }
}

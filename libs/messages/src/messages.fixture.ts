import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandPath, EventRegistry, SqliteEventStore, streams } from '#event-store';
import { openFeed, type ClientEvent, type Feed, type QueueSettings } from '#feed';
import {
  newChannel,
  Directory,
  organizationEventTypes,
  preferencesEventTypes,
  ROLE,
  Site,
  SYSTEM_GROUPS,
  type OrganizationEvent,
  type User,
} from '#organization';
import {
  followUpEventTypes,
  FollowUps,
  type OpenFollowUpDocument,
  openFollowUpsCollection,
  openFollowUpsProjection,
} from '#follow-ups';
import { LocalBroadcast, ProjectionEngine, SqliteReadStore, SqliteSideStore } from '#read-store';
import { ManualClock } from '#testing';
import { AddReactionCommand, AddReactionHandler } from './commands/add-reaction.js';
import { ChangeMessageHandler, type ChangeRequest } from './commands/change-message.js';
import { DeleteMessageHandler } from './commands/delete-message.js';
import { DeleteTopicHandler } from './commands/delete-topic.js';
import { RemoveReactionCommand, RemoveReactionHandler } from './commands/remove-reaction.js';
import { ContentRenderer } from './content-renderer.js';
import { KeyedSends } from './keyed-sends.js';
import { MessageDesk } from './message-desk.js';
import { MessageSender, type SendRequest } from './message-sender.js';
import { MessageClientEvents } from './messages.client-events.js';
import { messageEventTypes } from './messages.events.js';
import { MoveAnswersCollector } from './move-answers.js';
import { MoveBulletin } from './move-bulletin.js';
import { MoveFollowUp } from './move-follow-up.js';
import { MoveTurns } from './move-turns.js';
import { Participation } from './participation.js';
import { keyedSendsCollection, type KeyedSendDocument } from './projections/keyed-sends.projection.js';
import { messageProjections } from './projections/message-projections.js';
import { messagesCollection, type MessageDocument } from './projections/message.document.js';
import { userFlagsCollection, type FlagChunkDocument } from './projections/user-flags.projection.js';
import { FlagsReader } from './queries/flags.reader.js';
import { MessageHolders } from './queries/message-holders.js';
import { MessagesReader } from './queries/messages.reader.js';
import { SeenMessages } from './queries/seen-messages.js';
import { SendAnswers } from './send-answers.js';
import { sendEventTypes } from './send.events.js';
import { SentMessages } from './sent-messages.js';
import { TopicParticipants } from './topic-participants.js';
import { TopicPolicies } from './topic-policies.js';

export const START = 1_790_000_000;

/** A client's queue: what it has been told so far. */
export interface TestQueue {
  readonly queueId: string;
  /** Client events since the last look, without ids. */
  events(): Promise<(ClientEvent & Record<string, any>)[]>;
}

export const SETTINGS: QueueSettings = {
  clientName: 'test',
  applyMarkdown: true,
  clientGravatar: true,
  slimPresence: true,
  includeSubscribers: false,
  allPublicChannels: false,
  eventTypes: null,
  narrow: [],
  capabilities: ['empty_topic_name', 'bulk_message_deletion'],
};

/** The real thing in a temporary directory: log, read models, feed and command handlers, without HTTP. */
export class MessagesWorld {
  readonly clock = new ManualClock(START * 1000);
  readonly directory = new Directory();
  readonly turns = new MoveTurns();
  path!: CommandPath;
  followUps!: FollowUps;
  sender!: MessageSender;
  /** As another process would have it. */
  keyedSends!: () => Promise<KeyedSends>;
  reader!: MessagesReader;
  #feed!: Feed;
  #engine!: ProjectionEngine;
  #desk!: MessageDesk;
  #participation!: Participation;
  #seen!: SeenMessages;
  #change!: ChangeMessageHandler;
  readonly #folder = mkdtempSync(join(tmpdir(), 'messages-'));
  readonly store: SqliteEventStore;
  readonly #readStore = new SqliteReadStore(join(this.#folder, 'read.db'));
  readonly #side = new SqliteSideStore(join(this.#folder, 'side.db'));

  constructor() {
    const registry = new EventRegistry([
      ...organizationEventTypes,
      ...preferencesEventTypes,
      ...messageEventTypes,
      ...sendEventTypes,
      ...followUpEventTypes,
    ]);
    this.store = SqliteEventStore.open(join(this.#folder, 'log.db'), registry, { clock: this.clock });
  }

  /** Opened, with the organization's groups and its notification bot (user 1). */
  static async open(): Promise<MessagesWorld> {
    const world = new MessagesWorld();
    await world.#start();
    const groups = SYSTEM_GROUPS.map((group) => ({ ...group, directSubgroups: [...group.directSubgroups] }));
    await world.organize({ type: 'organization.created.v1', data: { uuid: 'u', name: 'Acme', at: START, groups } });
    await world.addUser(1, 'Notification Bot', { systemBot: 'notification', botType: 1 });
    return world;
  }

  async #start(): Promise<void> {
    const { directory, clock, store } = this;
    this.reader = new MessagesReader(await this.#readStore.collection<MessageDocument>(messagesCollection));
    const flagChunks = await this.#readStore.collection<FlagChunkDocument>(userFlagsCollection);
    const flags = new FlagsReader(flagChunks);
    const holders = new MessageHolders(flagChunks);
    this.#seen = new SeenMessages(directory, flags);
    const sent = new SentMessages(store);
    const onError = (error: unknown): never => {
      throw error;
    };
    this.#feed = await openFeed({
      directory,
      features: [new MessageClientEvents(directory, this.reader, flags, holders, sent)],
      readStore: this.#readStore,
      side: this.#side,
      store,
      clock,
      broadcast: new LocalBroadcast(),
      onError,
    });
    const projections = [...messageProjections, openFollowUpsProjection(['messages.moved.v1'])];
    // The clock stands wherever a test puts it, so the engine cannot tell by it how far behind it is.
    const options = { lagLimitMs: Number.MAX_SAFE_INTEGER };
    this.#engine = new ProjectionEngine(store, this.#readStore, projections, [this.#feed.follower], options);
    await this.#engine.start();
    await this.#feed.queues.start();
    const path = new CommandPath(store, this.#engine);
    this.path = path;
    this.followUps = new FollowUps({
      causes: new Set(['messages.moved.v1']),
      open: await this.#readStore.collection<OpenFollowUpDocument>(openFollowUpsCollection),
      store,
      visibility: this.#engine,
      clock,
      onError,
    });
    const participants = new TopicParticipants(this.reader);
    const renderer = new ContentRenderer(directory, new Site('https://chat.test'), this.reader, participants);
    const answers = new SendAnswers(directory, this.reader);
    this.#participation = new Participation(directory, this.reader, path, clock);
    this.keyedSends = async () => {
      const sends = await this.#readStore.collection<KeyedSendDocument>(keyedSendsCollection);
      return new KeyedSends(sends, store, this.#engine, path, clock);
    };
    const keyed = await this.keyedSends();
    this.sender = new MessageSender(answers, renderer, this.#participation, keyed, path, clock);
    this.#desk = new MessageDesk(directory, this.reader, sent, path, clock, this.turns);
    const moves = new MoveAnswersCollector(directory, this.reader, answers);
    const policies = new TopicPolicies(directory, this.reader, path);
    const bulletin = new MoveBulletin(directory, this.reader, this.sender, participants, this.#desk);
    new MoveFollowUp(directory, policies, bulletin, this.turns, this.followUps);
    this.#change = new ChangeMessageHandler(directory, this.#desk, renderer, answers, moves, this.followUps);
  }

  async close(): Promise<void> {
    await this.#feed.queues.close();
    await this.#engine.stop();
    await this.store.close();
    await this.#side.close();
    await this.#readStore.close();
    rmSync(this.#folder, { recursive: true });
  }

  async organize(...facts: readonly OrganizationEvent[]): Promise<void> {
    const events = facts.map(({ type, data }) => ({ id: crypto.randomUUID(), type, data }));
    const { position } = await this.store.append(streams.organization, 'any', events);
    await this.#engine.reached(position);
  }

  async addUser(
    userId: number,
    fullName: string,
    change: { systemBot?: 'notification'; botType?: number; role?: number } = {},
  ): Promise<void> {
    await this.organize({
      type: 'user.created.v1',
      data: {
        userId,
        email: `user${userId}@acme.test`,
        fullName,
        role: ROLE.member,
        botType: null,
        botOwnerId: null,
        timezone: '',
        at: START,
        ...change,
      },
    });
  }

  async addChannel(
    channelId: number,
    name: string,
    subscriberIds: readonly number[],
    change: { inviteOnly?: boolean; historyPublicToSubscribers?: boolean; topicsPolicy?: string } = {},
  ): Promise<void> {
    await this.organize(newChannel({ channelId, name, at: START, ...change }));
    if (subscriberIds.length > 0) await this.subscribe(channelId, ...subscriberIds);
  }

  async subscribe(channelId: number, ...userIds: readonly number[]): Promise<void> {
    const subscribers = userIds.map((userId) => ({ userId, color: '#aaaaaa' }));
    await this.organize({ type: 'channel.subscribed.v1', data: { channelId, subscribers, by: null, at: START } });
  }

  async unsubscribe(channelId: number, userId: number): Promise<void> {
    await this.organize({
      type: 'channel.unsubscribed.v1',
      data: { channelId, userIds: [userId], by: userId, at: START },
    });
  }

  user(userId: number): User {
    return this.directory.user(userId)!;
  }

  async send(senderId: number, content: string, request: Partial<SendRequest> = {}): Promise<number> {
    const usual = { type: 'channel', to: 1, topic: 'lunch', content, client: 'test' } as const;
    const { id } = await this.sender.send(this.user(senderId), { ...usual, ...request });
    return id;
  }

  change(actorId: number, messageId: number, request: Partial<ChangeRequest>): Promise<void> {
    const notices = { oldThread: false, newThread: false };
    const complete: ChangeRequest = { propagateMode: 'change_one', notices, ...request };
    return this.#change.execute({ actor: this.user(actorId), messageId, request: complete } as never);
  }

  delete(actorId: number, messageId: number): Promise<void> {
    const handler = new DeleteMessageHandler(this.directory, this.#desk, this.reader);
    return handler.execute({ actor: this.user(actorId), messageId } as never);
  }

  deleteTopic(actorId: number, channelId: number, topic: string): Promise<boolean> {
    const handler = new DeleteTopicHandler(this.directory, this.#desk, this.reader, this.clock);
    return handler.execute({ actor: this.user(actorId), channelId, topic } as never);
  }

  react(actorId: number, messageId: number, name: string): Promise<void> {
    const asked = { name, code: undefined, type: undefined };
    return new AddReactionHandler(this.#desk, this.#seen, this.#participation).execute(
      new AddReactionCommand(this.user(actorId), messageId, asked),
    );
  }

  unreact(actorId: number, messageId: number, name: string): Promise<void> {
    const asked = { name, code: undefined, type: undefined };
    const command = new RemoveReactionCommand(this.user(actorId), messageId, asked);
    return new RemoveReactionHandler(this.#desk).execute(command);
  }

  /** Registers a queue that hears everything from now on. */
  async queue(userId: number, settings: Partial<QueueSettings> = {}): Promise<TestQueue> {
    const { queues } = this.#feed;
    const { queueId, lastEventId } = await queues.register(this.user(userId), { ...SETTINGS, ...settings }, 0);
    let last = lastEventId;
    return {
      queueId,
      events: async () => {
        const polled = await queues.poll(queueId, userId, last, true);
        if (polled.kind !== 'events') throw new Error(`The queue is ${polled.kind}.`);
        const events = JSON.parse(polled.events) as (ClientEvent & { id: number })[];
        last = events.at(-1)?.id ?? last;
        return events.map(({ id: _, ...event }) => event as ClientEvent);
      },
    };
  }
}

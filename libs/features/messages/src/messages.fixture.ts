import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { botsPart } from '#bots/model';
import { CommandRunner, EventRegistry, SqliteEventStore, streams } from '#event-store';
import { openFeed, type ClientEvent, type Feed, type QueueSettings } from '#feed';
import { Gravatar, ROLE, type User } from '#users/model';
import { newChannel } from '#channels/model';
import { Directory, organizationEventTypes, type OrganizationEvent } from '#people';
import { Site, linkifiersPart } from '#realm/model';
import { SYSTEM_GROUPS } from '#groups/model';
import {
  followUpEventTypes,
  FollowUps,
  type OpenFollowUpDocument,
  openFollowUpsCollection,
  openFollowUpsProjection,
} from '#follow-ups';
import { ExtraEmojiType, customEmojiPart } from '#pictures/model';
import { preferencesEventTypes, preferencesPart } from '#preferences/model';
import { LocalBroadcast, ProjectionEngine, SqliteReadStore, SqliteKeyValueStore } from '#read-store';
import { MessageClientEvents } from '#reading';
import { ManualClock, OpenGate, executing } from '#testing';
import { AddReactionCommand, addReaction } from './react/add-reaction.js';
import { MessageChange, type ChangeRequest } from './edit/change-message.js';
import { DeleteMessageCommand, deleteMessage } from './delete/delete-message.js';
import { DeleteTopicCommand, deleteTopic } from './delete/delete-topic.js';
import { RemoveReactionCommand, removeReaction } from './react/remove-reaction.js';
import { ContentRenderer } from './render/content-renderer.js';
import { type ReferencedFile, ReferencedFiles } from './render/referenced-files.js';
import { IdempotentSends } from './send/idempotent-sends.js';
import { MessageCommands } from './existing/message-commands.js';
import { MessageSender, type SendRequest } from './send/message-sender.js';
import { messageEventTypes } from './model/messages.events.js';
import { MoveContextReader } from './move/move-context.js';
import { MoveNotifier } from './move/move-notifier.js';
import { MoveFollowUp } from './move/move-follow-up.js';
import { MovePortions } from './move/move-portions.js';
import { MoveRests } from './move/move-rest.js';
import { MoveLock } from './existing/move-lock.js';
import { AutoFollow } from './send/auto-follow.js';
import {
  idempotentSendsCollection,
  idempotentSendsProjection,
  type IdempotentSendDocument,
} from './send/idempotent-sends.projection.js';
import { messagesProjection } from './projections/messages.projection.js';
import { messagesCollection, type MessageDocument } from './projections/message.document.js';
import { userFlagsCollection, type FlagChunkDocument } from '../../reading/src/flags/user-flags.projection.js';
import { flagsChanged } from '../../reading/src/flags/flags.events.js';
import { readingProjections } from '../../reading/src/reading-projections.js';
import { FlagsReader } from '../../reading/src/flags/flags.reader.js';
import { MessageHolders } from '../../reading/src/flags/message-holders.js';
import { MessagesReader } from './existing/messages.reader.js';
import { ViewerMessages } from '../../reading/src/viewer/viewer-messages.js';
import { SendContext } from './send/send-context.js';
import { sendEventTypes } from './send/send.events.js';
import { SentMessages } from './existing/sent-messages.js';
import { TopicParticipants } from './render/topic-participants.js';
import { TopicPolicies } from './move/topic-policies.js';

/** Nobody has uploaded a file. */
class NoFiles extends ReferencedFiles {
  readable(): Promise<ReadonlyMap<string, ReferencedFile>> {
    return Promise.resolve(new Map());
  }

  detached(): Promise<readonly never[]> {
    return Promise.resolve([]);
  }
}

export const START = 1_790_000_000;

/** A client's queue, with the client events received so far. */
export interface TestQueue {
  readonly queueId: string;
  /** Client events since the last call, without ids. */
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

/** Real log, read models, feed and command handlers in a temporary directory, without HTTP. */
export class MessagesWorld {
  readonly clock = new ManualClock(START * 1000);
  readonly directory = new Directory([linkifiersPart, customEmojiPart, preferencesPart, botsPart]);
  readonly moveLock = new MoveLock();
  runner!: CommandRunner;
  followUps!: FollowUps;
  /** Of the follow-ups. */
  gate!: OpenGate;
  sender!: MessageSender;
  /** An instance as in another process. */
  idempotentSends!: () => Promise<IdempotentSends>;
  reader!: MessagesReader;
  #feed!: Feed;
  #engine!: ProjectionEngine;
  #commands!: MessageCommands;
  #participation!: AutoFollow;
  #seen!: ViewerMessages;
  #change!: MessageChange;
  readonly #folder = mkdtempSync(join(tmpdir(), 'messages-'));
  readonly store: SqliteEventStore;
  readonly #readStore = new SqliteReadStore(join(this.#folder, 'read.db'));
  readonly #side = new SqliteKeyValueStore(join(this.#folder, 'side.db'));

  constructor() {
    const registry = new EventRegistry([
      ...organizationEventTypes,
      ...preferencesEventTypes,
      ...messageEventTypes,
      flagsChanged,
      ...sendEventTypes,
      ...followUpEventTypes,
    ]);
    this.store = SqliteEventStore.open(join(this.#folder, 'log.db'), registry, { clock: this.clock });
  }

  /** Opens a world with the organization's groups and its notification bot (user 1). */
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
    this.#seen = new ViewerMessages(directory, flags);
    const sent = new SentMessages(store);
    const onError = (error: unknown): never => {
      throw error;
    };
    this.#feed = await openFeed({
      directory,
      features: [
        new MessageClientEvents(
          directory,
          this.reader,
          flags,
          holders,
          sent,
          store,
          new ExtraEmojiType(),
          new Gravatar(),
        ),
      ],
      readStore: this.#readStore,
      side: this.#side,
      store,
      clock,
      broadcast: new LocalBroadcast(),
      onError,
    });
    const projections = [
      messagesProjection,
      idempotentSendsProjection,
      ...readingProjections,
      openFollowUpsProjection(['messages.moved.v1']),
    ];
    // The tests set the clock, so the engine cannot derive its lag from it.
    const options = { lagLimitMs: Number.MAX_SAFE_INTEGER };
    this.#engine = new ProjectionEngine(store, this.#readStore, projections, [this.#feed.follower], options);
    await this.#engine.start();
    await this.#feed.queues.start();
    const runner = new CommandRunner(store, this.#engine);
    this.runner = runner;
    this.gate = new OpenGate(this.#engine);
    this.followUps = new FollowUps({
      causes: new Set(['messages.moved.v1']),
      open: await this.#readStore.collection<OpenFollowUpDocument>(openFollowUpsCollection),
      store,
      gate: this.gate,
      clock,
      onError,
    });
    const participants = new TopicParticipants(this.reader);
    const renderer = new ContentRenderer(
      directory,
      new Site('https://chat.test'),
      this.reader,
      participants,
      new NoFiles(),
    );
    const answers = new SendContext(directory, this.reader);
    this.#participation = new AutoFollow(directory, this.reader, runner, clock);
    this.idempotentSends = async () => {
      const sends = await this.#readStore.collection<IdempotentSendDocument>(idempotentSendsCollection);
      return new IdempotentSends(sends, store, this.#engine, runner, clock);
    };
    const idempotent = await this.idempotentSends();
    this.sender = new MessageSender(this.directory, answers, renderer, this.#participation, idempotent, runner, clock);
    this.#commands = new MessageCommands(directory, this.reader, sent, runner, clock, this.moveLock);
    const portions = new MovePortions(directory, this.reader);
    const moves = new MoveContextReader(directory, this.reader, answers, portions);
    const policies = new TopicPolicies(directory, this.reader, runner);
    const notifier = new MoveNotifier(directory, this.reader, this.sender, participants, this.#commands);
    const rests = new MoveRests(directory, this.reader, portions, this.#commands, store);
    this.followUps.add('messages.moved.v1', new MoveFollowUp(directory, policies, notifier, rests));
    this.#change = new MessageChange(directory, this.#commands, renderer, answers, moves, this.followUps);
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
    await this.#engine.waitFor(position);
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

  change(actorId: number, messageId: number, request: Partial<ChangeRequest>): Promise<readonly number[]> {
    const notices = { oldThread: false, newThread: false };
    const complete: ChangeRequest = { propagateMode: 'change_one', notices, ...request };
    return this.#change.make({ actor: this.user(actorId), messageId, request: complete } as never);
  }

  delete(actorId: number, messageId: number): Promise<void> {
    const given = { directory: this.directory, commands: this.#commands, reader: this.reader };
    return executing(deleteMessage, given).execute(new DeleteMessageCommand(this.user(actorId), messageId));
  }

  deleteTopic(actorId: number, channelId: number, topic: string): Promise<boolean> {
    const { directory, reader, clock } = this;
    const command = new DeleteTopicCommand(this.user(actorId), channelId, topic);
    return executing(deleteTopic, { directory, commands: this.#commands, reader, clock }).execute(command);
  }

  react(actorId: number, messageId: number, name: string): Promise<void> {
    const asked = { name, code: undefined, type: undefined };
    const given = {
      commands: this.#commands,
      history: this.#seen,
      autoFollow: this.#participation,
      directory: this.directory,
    };
    const command = new AddReactionCommand(this.user(actorId), messageId, asked);
    return executing(addReaction, given).execute(command);
  }

  unreact(actorId: number, messageId: number, name: string): Promise<void> {
    const asked = { name, code: undefined, type: undefined };
    const command = new RemoveReactionCommand(this.user(actorId), messageId, asked);
    return executing(removeReaction, { commands: this.#commands, directory: this.directory }).execute(command);
  }

  /** Registers a queue that receives everything from now on. */
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

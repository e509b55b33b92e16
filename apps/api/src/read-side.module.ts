import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ChannelClientEvents, ChannelsModule } from '#channels';
import { EventStore, Visibility } from '#event-store';
import {
  type ClientEvents,
  EventQueues,
  FeedFollower,
  openFeed,
  openFeedReader,
  openFeedWriter,
  QueueWarden,
  Replica,
} from '#feed';
import type { Logger } from '#http';
import { Clock } from '#kernel';
import {
  FlagClientEvents,
  MessageClientEvents,
  messageProjections,
  MessagesModule,
  TypingClientEvents,
} from '#messages';
import { Directory } from '#organization';
import {
  Broadcast,
  type Progress,
  ProjectionEngine,
  type ProjectorWatch,
  ReadSideOperations,
  ReadStore,
  SideStore,
} from '#read-store';
import { PreferencesClientEvents, PreferencesModule } from '#preferences';
import { LinkifierClientEvents, RealmClientEvents, RealmModule } from '#realm';
import { StillReads } from '#register';
import { UserClientEvents, UsersModule } from '#users';
import { openFollowUps } from './open-follow-ups.js';
import { nowAndThen } from './patience.js';
import type { Settings } from './settings.js';

const FEED = Symbol('feed');

/** The features that have something to say to clients, in no particular order. */
const CLIENT_EVENTS = [
  MessageClientEvents,
  FlagClientEvents,
  ChannelClientEvents,
  PreferencesClientEvents,
  RealmClientEvents,
  LinkifierClientEvents,
  TypingClientEvents,
  UserClientEvents,
] as const;

/** What an engine whose stores are on other machines never gives up on. */
const PATIENT = { retryLimitMs: Infinity };

const projections = [...messageProjections, openFollowUps];

type FeedParts = Parameters<typeof openFeedWriter>[0];

/** Puts the read side together from what the features bring: as a whole, or as one process's part of it. */
@Module({})
export class ReadSideModule {
  /** All of it in one process: the engine, with the projections and the feed, and the clients' queues. */
  static whole(settings: Settings, logger: Logger): DynamicModule {
    return moduleOf(
      [
        feedProvider(logger, (parts, broadcast) => openFeed({ ...parts, ...queueOptions(settings), broadcast })),
        part(FeedFollower, 'follower'),
        part(EventQueues, 'queues'),
        engineProvider(logger, {}),
        { provide: Visibility, useExisting: ProjectionEngine },
        { provide: StillReads, useExisting: ProjectionEngine },
        { provide: ReadSideOperations, useExisting: ProjectionEngine },
      ],
      [EventQueues, FeedFollower, ProjectionEngine, Visibility, StillReads, ReadSideOperations],
    );
  }

  /** The clients' side, for a process that leaves the writing to the projector. */
  static reading(settings: Settings, logger: Logger, progress: Progress, watch: ProjectorWatch): DynamicModule {
    const projectorComplaint = (): string | undefined => watch.complaint();
    return moduleOf(
      [
        feedProvider(logger, (parts, broadcast) =>
          openFeedReader({ ...parts, ...queueOptions(settings), progress, broadcast, projectorComplaint }),
        ),
        part(Replica, 'replica'),
        part(EventQueues, 'queues'),
        { provide: Visibility, useExisting: Replica },
        { provide: StillReads, useExisting: Replica },
        { provide: ReadSideOperations, useValue: watch },
      ],
      [EventQueues, Replica, Visibility, StillReads, ReadSideOperations],
    );
  }

  /** The projector's side: the engine, and what looks after the feed and the records of queues. */
  static writing(logger: Logger): DynamicModule {
    return moduleOf(
      [
        feedProvider(logger, (parts) => openFeedWriter(parts)),
        part(FeedFollower, 'follower'),
        part(QueueWarden, 'warden'),
        engineProvider(logger, PATIENT),
        { provide: Visibility, useExisting: ProjectionEngine },
      ],
      [FeedFollower, ProjectionEngine, QueueWarden, Visibility],
    );
  }
}

function moduleOf(providers: Provider[], exports: DynamicModule['exports']): DynamicModule {
  const imports = [ChannelsModule, MessagesModule, PreferencesModule, RealmModule, UsersModule];
  return { module: ReadSideModule, global: true, imports, providers, exports: exports ?? [] };
}

function feedProvider<Feed>(
  logger: Logger,
  open: (parts: FeedParts, broadcast: Broadcast) => Promise<Feed>,
): Provider<Feed> {
  const onError = nowAndThen((error) => {
    logger.error({ err: error }, 'The feed met an error that clients recover from.');
  });
  return {
    provide: FEED,
    inject: [Directory, ReadStore, SideStore, EventStore, Clock, Broadcast, ...CLIENT_EVENTS],
    useFactory: (
      directory: Directory,
      readStore: ReadStore,
      side: SideStore,
      store: EventStore,
      clock: Clock,
      broadcast: Broadcast,
      ...features: ClientEvents[]
    ): Promise<Feed> => open({ directory, features, readStore, side, store, clock, onError }, broadcast),
  };
}

/** One piece of what was opened together. */
function part(token: abstract new (...parts: never[]) => unknown, name: string): Provider {
  return { provide: token, inject: [FEED], useFactory: (feed: Readonly<Record<string, unknown>>) => feed[name] };
}

function engineProvider(logger: Logger, options: { readonly retryLimitMs?: number }): Provider {
  return {
    provide: ProjectionEngine,
    inject: [EventStore, ReadStore, FeedFollower],
    useFactory: (store: EventStore, readStore: ReadStore, follower: FeedFollower) =>
      new ProjectionEngine(store, readStore, projections, [follower], options, ({ level, message, data }) => {
        logger[level](data, message);
      }),
  };
}

function queueOptions({ eventQueueIdleSeconds, heartbeatSeconds }: Settings) {
  return {
    ...(eventQueueIdleSeconds === undefined ? {} : { idleLimitSeconds: eventQueueIdleSeconds }),
    ...(heartbeatSeconds === undefined ? {} : { heartbeatSeconds }),
  };
}

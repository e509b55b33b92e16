import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ChannelClientEvents, ChannelsModule } from '#channels';
import { EventStore, Visibility } from '#event-store';
import { EventQueues, FeedFollower, openFeed, type Feed } from '#feed';
import type { Logger } from '#http';
import { Clock } from '#kernel';
import { FlagClientEvents, MessageClientEvents, messageProjections, MessagesModule } from '#messages';
import { Directory } from '#organization';
import { ProjectionEngine, ReadStore, SideStore } from '#read-store';
import { StillReads } from '#register';
import { UserClientEvents, UsersModule } from '#users';
import type { Settings } from './settings.js';

const FEED = Symbol('feed');

/** The engine with all projections and the feed, put together from what the features bring. */
@Module({})
export class ReadSideModule {
  static with(settings: Settings, logger: Logger): DynamicModule {
    const onError = (error: unknown): void => {
      logger.error({ err: error }, 'The feed met an error that clients recover from.');
    };
    const providers: Provider[] = [
      {
        provide: FEED,
        inject: [
          Directory,
          ReadStore,
          SideStore,
          EventStore,
          Clock,
          MessageClientEvents,
          FlagClientEvents,
          ChannelClientEvents,
          UserClientEvents,
        ],
        useFactory: (
          directory: Directory,
          readStore: ReadStore,
          side: SideStore,
          store: EventStore,
          clock: Clock,
          ...features: [MessageClientEvents, FlagClientEvents, ChannelClientEvents, UserClientEvents]
        ): Promise<Feed> =>
          openFeed({
            directory,
            features,
            readStore,
            side,
            store,
            clock,
            onError,
            ...(settings.eventQueueIdleSeconds === undefined
              ? {}
              : { idleLimitSeconds: settings.eventQueueIdleSeconds }),
            ...(settings.heartbeatSeconds === undefined ? {} : { heartbeatSeconds: settings.heartbeatSeconds }),
          }),
      },
      { provide: FeedFollower, inject: [FEED], useFactory: ({ follower }: Feed) => follower },
      { provide: EventQueues, inject: [FEED], useFactory: ({ queues }: Feed) => queues },
      {
        provide: ProjectionEngine,
        inject: [EventStore, ReadStore, FeedFollower],
        useFactory: (store: EventStore, readStore: ReadStore, follower: FeedFollower) =>
          new ProjectionEngine(store, readStore, messageProjections, [follower], {}, ({ level, message, data }) => {
            logger[level](data, message);
          }),
      },
      { provide: Visibility, useExisting: ProjectionEngine },
      { provide: StillReads, useExisting: ProjectionEngine },
    ];
    const imports = [ChannelsModule, MessagesModule, UsersModule];
    return {
      module: ReadSideModule,
      global: true,
      imports,
      providers,
      exports: [EventQueues, FeedFollower, ProjectionEngine, Visibility, StillReads],
    };
  }
}

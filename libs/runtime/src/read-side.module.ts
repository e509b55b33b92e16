import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { EventStore, ReadBarrier } from '#event-store';
import {
  type ClientEvents,
  EventQueues,
  FeedFollower,
  openFeed,
  openFeedReader,
  openFeedWriter,
  QueueReaper,
  Replica,
} from '#feed';
import type { Logger } from '#http';
import { Clock } from '#kernel';
import { Directory } from '#people';
import {
  ApiSigns,
  Broadcast,
  type Progress,
  ProjectionEngine,
  type ProjectorMonitor,
  readingOf,
  ReadSideGate,
  ReadSideOperations,
  ReadStore,
  SetAside,
  ShownEvents,
  StandingGate,
  KeyValueStore,
} from '#read-store';
import { StillReads } from '#register';
import type { Composition } from './composition.js';
import type { Observers } from './observers.js';
import { collectionsOf } from './stores/keep-former-release.js';
import { WRITTEN_READ_STORE } from './stores/stores.module.js';
import { nowAndThen } from './stores/until-available.js';
import type { Settings } from './settings/settings.js';

const FEED = Symbol('feed');

/**
 * An api looks at the projector's status every two seconds. Nothing is committed without a projection before all know that it is set aside.
 * After five, commands would be refused: the read side would count as stuck.
 */
const SET_ASIDE_TOLD_WITHIN_MS = 4_000;
/** An engine whose stores are on other machines never gives up. */
const PATIENT = { retryLimitMs: Infinity, toldWithinMs: SET_ASIDE_TOLD_WITHIN_MS };
/** An engine with files waits for disk space; at the start the operator gets an error instead. */
const PATIENT_ONCE_LIVE = { ...PATIENT, startRetryLimitMs: 10_000, toldWithinMs: 0 };

type FeedParts = Parameters<typeof openFeedWriter>[0];

/** Builds the read side from the features: as a whole, or one process's part of it. */
@Module({})
export class ReadSideModule {
  /** The whole read side in one process: the engine, with the projections and the feed, and the clients' queues. */
  static whole(composition: Composition, settings: Settings, logger: Logger, observers: Observers): DynamicModule {
    return moduleOf(
      composition,
      [
        feedProvider(composition, logger, (parts, broadcast) =>
          openFeed({ ...parts, ...queueOptions(settings, observers), broadcast }),
        ),
        part(FeedFollower, 'follower'),
        part(EventQueues, 'queues'),
        engineProvider(composition, logger, PATIENT_ONCE_LIVE),
        { provide: ReadBarrier, useExisting: ProjectionEngine },
        { provide: StillReads, useExisting: ProjectionEngine },
        { provide: ReadSideOperations, useExisting: ProjectionEngine },
      ],
      [EventQueues, FeedFollower, ProjectionEngine, ReadBarrier, ReadSideGate, StillReads, ReadSideOperations],
    );
  }

  /** The clients' side, for a process beside a projector. */
  static reading(
    composition: Composition,
    settings: Settings,
    logger: Logger,
    progress: Progress,
    watch: ProjectorMonitor,
    observers: Observers,
  ): DynamicModule {
    const read = { progress, projectorComplaint: () => watch.complaint() };
    return moduleOf(
      composition,
      [
        feedProvider(composition, logger, (parts, broadcast, shown) =>
          openFeedReader({
            ...parts,
            ...queueOptions(settings, observers),
            ...read,
            broadcast,
            shown: shown.follow(),
          }),
        ),
        part(Replica, 'replica'),
        part(EventQueues, 'queues'),
        { provide: ReadBarrier, useExisting: Replica },
        { provide: StillReads, useExisting: Replica },
        { provide: ReadSideOperations, useValue: watch },
      ],
      [EventQueues, Replica, ReadBarrier, ReadSideGate, StillReads, ReadSideOperations],
    );
  }

  /** The projector's side: the engine, and the maintenance of the feed and of the stored queues. */
  static writing(composition: Composition, logger: Logger): DynamicModule {
    return moduleOf(
      composition,
      [
        feedProvider(composition, logger, (parts) => openFeedWriter(parts)),
        part(FeedFollower, 'follower'),
        part(QueueReaper, 'reaper'),
        engineProvider(composition, logger, PATIENT, (side) => othersComplaint(composition, side)),
        { provide: ReadBarrier, useExisting: ProjectionEngine },
        { provide: ReadSideOperations, useExisting: ProjectionEngine },
      ],
      [FeedFollower, ProjectionEngine, QueueReaper, ReadBarrier, ReadSideGate, ReadSideOperations],
    );
  }
}

function moduleOf(composition: Composition, parts: Provider[], exports: DynamicModule['exports']): DynamicModule {
  const providers = [...parts, gateProvider(composition)];
  return { module: ReadSideModule, global: true, providers, exports: exports ?? [] };
}

/** The gate for all work in the background, whichever part of the read side this process has. */
function gateProvider(composition: Composition): Provider {
  return {
    provide: ReadSideGate,
    inject: [EventStore, ReadStore, ReadBarrier, ReadSideOperations, SetAside],
    useFactory: (
      events: EventStore,
      store: ReadStore,
      barrier: ReadBarrier,
      operations: ReadSideOperations,
      setAside: SetAside,
    ) =>
      new StandingGate({
        events,
        store,
        barrier,
        operations,
        participants: collectionsOf(composition).map(({ name }) => name),
        setAside,
      }),
  };
}

function feedProvider<Feed>(
  { features }: Composition,
  logger: Logger,
  open: (parts: FeedParts, broadcast: Broadcast, shown: ShownEvents) => Promise<Feed>,
): Provider<Feed> {
  const onError = nowAndThen((error) => {
    logger.error({ err: error }, 'The feed had an error, from which the affected clients recover by themselves.');
  });
  return {
    provide: FEED,
    inject: [Directory, ReadStore, KeyValueStore, EventStore, Clock, Broadcast, ShownEvents, ...features.clientEvents],
    useFactory: (
      directory: Directory,
      readStore: ReadStore,
      side: KeyValueStore,
      store: EventStore,
      clock: Clock,
      broadcast: Broadcast,
      shown: ShownEvents,
      ...clientEvents: ClientEvents[]
    ): Promise<Feed> => {
      features.assertEventsAreRead(clientEvents.map(({ on }) => on));
      features.assertEventsAreDescribed(clientEvents.flatMap(({ types }) => [...types]));
      return open({ directory, features: clientEvents, readStore, side, store, clock, onError }, broadcast, shown);
    },
  };
}

/** Provider of one part of what was opened together. */
function part(token: abstract new (...parts: never[]) => unknown, name: string): Provider {
  return { provide: token, inject: [FEED], useFactory: (feed: Readonly<Record<string, unknown>>) => feed[name] };
}

function engineProvider(
  composition: Composition,
  logger: Logger,
  options: {
    readonly retryLimitMs: number;
    readonly startRetryLimitMs?: number;
    /** Time in which the other processes know that a projection is set aside. */
    readonly toldWithinMs: number;
  },
  /** Why another process may read collections that this release does not have, if so. */
  keepsLeftOvers: (side: KeyValueStore) => Promise<string | undefined> = async () => undefined,
): Provider {
  const { features, openFollowUps, dueIndex } = composition;
  const projections = [...features.projections, openFollowUps, dueIndex];
  return {
    provide: ProjectionEngine,
    inject: [EventStore, WRITTEN_READ_STORE, FeedFollower, SetAside, KeyValueStore],
    useFactory: (
      store: EventStore,
      readStore: ReadStore,
      follower: FeedFollower,
      setAside: SetAside,
      side: KeyValueStore,
    ) => {
      const onSetAside = async (failures: Parameters<SetAside['replace']>[0]): Promise<void> => {
        const hasMore = [...failures.keys()].some((name) => setAside.failureOf(name) === undefined);
        setAside.replace(failures);
        if (hasMore) await pause(toldWithinMs);
      };
      const { toldWithinMs, ...engineOptions } = options;
      return new ProjectionEngine(
        store,
        readStore,
        projections,
        [follower],
        { ...engineOptions, onSetAside, keepsLeftOvers: () => keepsLeftOvers(side) },
        ({ level, message, data }) => {
          logger[level](data, message);
        },
      );
    },
  };
}

/** An api of the release before may read what this release does not have, until it is replaced. */
async function othersComplaint(composition: Composition, side: KeyValueStore): Promise<string | undefined> {
  const areAlive = await new ApiSigns(side).areOthersAlive(readingOf(collectionsOf(composition)));
  return areAlive ? 'An api of another release runs, and may read them. Finish the upgrade, and try again.' : undefined;
}

function queueOptions({ eventQueueIdleSeconds, heartbeatSeconds }: Settings, { metrics, spans }: Observers) {
  return {
    ...(eventQueueIdleSeconds === undefined ? {} : { idleLimitSeconds: eventQueueIdleSeconds }),
    ...(heartbeatSeconds === undefined ? {} : { heartbeatSeconds }),
    ...(metrics === undefined ? {} : { onDelivered: metrics.delivered }),
    ...(spans === undefined ? {} : { spans }),
  };
}

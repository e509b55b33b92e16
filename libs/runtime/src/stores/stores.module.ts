import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { BlobStore } from '#blob-store';
import { CommandRunner, EventStore, ReadBarrier } from '#event-store';
import { EphemeralEvents } from '#feed';
import { ExportSurroundings } from '#export';
import { Decisions, type PendingFailure, PendingReports, PendingWork, readerProvider } from '#feature';
import { FileReports } from '#files';
import { FollowUps, type OpenFollowUpDocument } from '#follow-ups';
import type { Logger } from '#http';
import { Clock, NO_SPANS, type ServiceFailure, ServiceReports, Spans, SystemClock } from '#kernel';
import { MailReports, MailTransport } from '#mail';
import { Directory } from '#people';
import { Site } from '#realm/model';
import { MoveLock } from '#messages';
import { PushReports, PushService } from '#push';
import { LinkKeys } from '#pages';
import {
  BackgroundRunner,
  type BackgroundWork,
  Broadcast,
  KeyValueStore,
  type Leases,
  ReadSideGate,
  ReadStore,
  SetAside,
  ShownEvents,
  UsableReadStore,
} from '#read-store';
import { dueIndexCollection, DueTimers, type TimerDocument, Timers, type TimersParts, type TimerSource } from '#timers';
import { ApiKeys } from '#users';
import type { Composition } from '../composition.js';
import type { OutgoingKind } from '../metrics/metrics.js';
import type { Observers } from '../observers.js';
import { nowAndThen, oncePerMinute } from './until-available.js';

/** The read models as the engine writes them. */
export const WRITTEN_READ_STORE = Symbol('written read store');

export interface Foundations {
  readonly events: EventStore;
  /** As it is written: features read it through `UsableReadStore`. */
  readonly readStore: ReadStore;
  /** What of it may not be read. */
  readonly setAside: SetAside;
  readonly side: KeyValueStore;
  readonly broadcast: Broadcast;
  /** Where processes agree who does what one of them does at a time; undefined when there is one process. */
  readonly leases?: Leases;
  /** Created last, from the barrier of the other parts. */
  readonly moveLock: (barrier: ReadBarrier) => MoveLock;
  readonly site: Site;
  /** What the operator has set up for features to use. */
  readonly services: readonly Provider[];
  /** Content of files. */
  readonly blobs: BlobStore;
  /** Folder in which archives are prepared. */
  readonly exportFolder: string;
  /** Where mail goes. */
  readonly mail: MailTransport;
  /** Hands notifications to devices. */
  readonly push: PushService;
  /** Setting `SECRET_KEY`. */
  readonly secret: string;
}

/** The stores, the directory and the command runners, which every feature uses. */
@Module({})
export class StoresModule {
  static with(composition: Composition, foundations: Foundations, logger: Logger, observers: Observers): DynamicModule {
    const { readStore, setAside } = foundations;
    const usable = new UsableReadStore(readStore, setAside);
    const providers = [
      { provide: WRITTEN_READ_STORE, useValue: readStore },
      { provide: SetAside, useValue: setAside },
      { provide: ReadStore, useValue: usable },
      ...givenParts(foundations, logger, observers),
      ...madeParts(composition, { ...foundations, readStore: usable }, logger),
    ];
    return { module: StoresModule, global: true, providers, exports: providers };
  }
}

/** What the composition root has opened and read from the settings. */
function givenParts(foundations: Foundations, logger: Logger, { metrics, spans }: Observers): readonly Provider[] {
  const { events, side, broadcast, site, services, blobs, exportFolder, mail, push, secret } = foundations;
  const tellOfMail = nowAndThen(({ message }) => {
    logger.warn({ reason: message }, 'A mail could not be sent.');
  });
  const tellOfPush = nowAndThen(({ message }) => {
    logger.warn({ reason: message }, 'The push service has not taken a notification.');
  });
  const count = (kind: OutgoingKind): void => {
    if (metrics !== undefined) metrics.outgoingFailures[kind]++;
  };
  const tellOfService = (failure: ServiceFailure): void => {
    count('service');
    logger.warn(failure, 'A service that this server calls has failed.');
  };
  const tellOfPending = oncePerMinute(
    ({ kind, target, isGivenUp = false }: PendingFailure) => `${kind} ${isGivenUp} ${target}`,
    ({ isGivenUp = false, ...failure }) => {
      if (isGivenUp) logger.warn(failure, 'Work in the background is given up, since it failed.');
      else logger.warn(failure, 'Work in the background has failed; `scrollback pending list` shows what waits.');
    },
  );
  const onExportFailure = nowAndThen((error) => {
    logger.error({ err: error }, 'An export failed; it is tried again a few times.');
  });
  return [
    { provide: Clock, useClass: SystemClock },
    { provide: Spans, useValue: spans ?? NO_SPANS },
    { provide: Site, useValue: site },
    ...services,
    { provide: BlobStore, useValue: blobs },
    { provide: ExportSurroundings, useValue: new ExportSurroundings(exportFolder, secret, onExportFailure) },
    { provide: MailTransport, useValue: mail },
    { provide: PushService, useValue: push },
    {
      provide: MailReports,
      useValue: new MailReports((failure) => {
        count('mail');
        tellOfMail(failure);
      }),
    },
    {
      provide: FileReports,
      useValue: new FileReports((content, reason) => {
        logger.error(
          { content, reason },
          'The content of a file cannot be sent. Restore it from a backup of the files.',
        );
      }),
    },
    { provide: PendingReports, useValue: new PendingReports(tellOfPending) },
    { provide: ServiceReports, useValue: new ServiceReports(tellOfService) },
    {
      provide: PushReports,
      useValue: new PushReports((failure) => {
        count('push');
        tellOfPush(failure);
      }),
    },
    { provide: ApiKeys, useFactory: () => new ApiKeys(secret) },
    { provide: LinkKeys, useFactory: () => new LinkKeys(secret) },
    { provide: EventStore, useValue: events },
    { provide: KeyValueStore, useValue: side },
    { provide: Broadcast, useValue: broadcast },
    { provide: ShownEvents, useFactory: () => new ShownEvents() },
  ];
}

interface FailedFollowUp {
  readonly err: unknown;
  /** Of the event. */
  readonly type: string | undefined;
}

/** What becomes due in this time is looked for together. */
const GATHER_MS = 10;
/** Moments at which several processes look for it differ by up to this time, so that the first one has mostly claimed it before the others look. */
const APART_MS = 100;

function madeParts(
  { features, newDirectory, openFollowUps, dueIndex }: Composition,
  { events, readStore, broadcast, leases, moveLock }: Foundations,
  logger: Logger,
): readonly Provider[] {
  const onError = oncePerMinute(
    ({ type = '' }: FailedFollowUp) => type,
    ({ err, type }) => {
      logger.error({ err, followUp: type }, 'A follow-up failed; it is tried again.');
    },
  );
  return [
    PendingWork,
    readerProvider(DueTimers, dueIndexCollection),
    { provide: Directory, useFactory: () => newDirectory() },
    { provide: EphemeralEvents, useFactory: () => new EphemeralEvents(broadcast) },
    { provide: MoveLock, inject: [ReadBarrier], useFactory: moveLock },
    {
      provide: CommandRunner,
      inject: [EventStore, ReadBarrier, Spans],
      useFactory: (store: EventStore, barrier: ReadBarrier, spans: Spans) =>
        new CommandRunner(store, barrier, undefined, spans),
    },
    {
      provide: Decisions,
      inject: [CommandRunner, Directory, FollowUps, Clock],
      useFactory: (runner: CommandRunner, directory: Directory, followUps: FollowUps, clock: Clock) =>
        new Decisions({ runner, directory, followUps, clock }),
    },
    {
      provide: BackgroundRunner,
      inject: [ReadSideGate],
      useFactory: (gate: ReadSideGate) => new BackgroundRunner({ gate, leases, onError: toldBy(logger) }),
    },
    {
      provide: FollowUps,
      inject: [ReadSideGate, Clock, ShownEvents],
      useFactory: async (gate: ReadSideGate, clock: Clock, shown: ShownEvents) => {
        const open = await readStore.collection<OpenFollowUpDocument>(openFollowUps.collection);
        return new FollowUps({
          open,
          causes: openFollowUps.handles,
          changedAt: shown.changesOf(openFollowUps),
          store: events,
          gate,
          clock,
          onError: (err, type) => {
            onError({ err, type });
          },
        });
      },
    },
    {
      provide: Timers,
      inject: [ReadSideGate, Clock, ShownEvents, Directory],
      useFactory: async (gate: ReadSideGate, clock: Clock, shown: ShownEvents, directory: Directory) =>
        new Timers({
          index: await readStore.collection<TimerDocument>(dueIndex.collection),
          kinds: new Set(features.timers.map(({ kind }) => kind)),
          changedAt: shown.changesOf(dueIndex),
          atOnce: dueAtOnce(features.timers, directory, leases),
          leases,
          gate,
          clock,
          onError: tellingOfTimers(logger),
        }),
    },
  ];
}

function tellingOfTimers(logger: Logger): TimersParts['onError'] {
  return nowAndThen((error) => {
    logger.error({ err: error }, 'A timer failed; it is tried again.');
  });
}

function dueAtOnce(
  sources: readonly TimerSource[],
  directory: Directory,
  leases: Foundations['leases'],
): TimersParts['atOnce'] {
  return {
    sources,
    listen: (listener) => directory.listen(listener),
    gatherMs: () => GATHER_MS + (leases === undefined ? 0 : Math.random() * APART_MS),
  };
}

/** Tells of failures of work in the background, of each work now and then. */
function toldBy(logger: Logger): (work: BackgroundWork, error: unknown) => void {
  const tellers = new Map<BackgroundWork, (error: unknown) => void>();
  return (work, error) => {
    let tell = tellers.get(work);
    if (tell === undefined) {
      tell = nowAndThen((err) => {
        logger.warn({ err }, work.complaint);
      });
      tellers.set(work, tell);
    }
    tell(error);
  };
}

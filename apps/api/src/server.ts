import { addAbortListener } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EventStore, ReadBarrier } from '#event-store';
import { EventQueues, FeedFollower, Replica } from '#feed';
import { PendingWork } from '#feature';
import { FollowUps } from '#follow-ups';
import { Authenticator, closeGracefully, createHttpApp, type Logger, type OpenApiSettings, Shutdown } from '#http';
import { Clock } from '#kernel';
import { MoveLock, Retention, SharedMoveLock } from '#messages';
import { LogStatistics, RecordRepairs } from '#operator';
import { Directory } from '#people';
import { FEATURE_LEVEL, SERVER_VERSION, Site } from '#realm/model';
import { operatorOf } from '#users/model';
import {
  BackgroundRunner,
  type EmbeddedReadStores,
  LocalBroadcast,
  notReady,
  ProjectionEngine,
  ProjectorMonitor,
  readingOf,
  ReadSideOperations,
  ReadStore,
  ReadStoreDamaged,
  ReadStoreUnavailable,
  SetAside,
} from '#read-store';
import { RecordUpgrade } from '#realm';
import { clientComponents, RegisterModule } from '#register';
import {
  asUnusable,
  blobStoreOf,
  cleanUpBlobs,
  closeStores,
  collectionsOf,
  type Composition,
  Doctor,
  EndingSteps,
  exportFolder,
  type Foundations,
  inDataDir,
  isEmbedded,
  isShared,
  keepFormerRelease,
  mailFolder,
  mailTransportOf,
  MendReadModels,
  ReadModelSnapshots,
  pushServiceOf,
  nowAndThen,
  openCommonStores,
  type Observers,
  openOwnStores,
  OperatorToken,
  pendingWork,
  PlainServer,
  Projector,
  ReadSideModule,
  servicesOf,
  type Settings,
  SettingsError,
  STARTING,
  StartProgress,
  StoresModule,
  untilAvailable,
  type WatchedPart,
  writePrivateFile,
} from '#runtime';
import { OwnerLink, SessionAuthenticator } from '#sign-in';
import { DueTimers, Timers } from '#timers';
import { FirstStart, type FirstStartResult } from '#users';
import { UseLog } from '#uses';
import { DoctorController, HeldController } from './doctor.controller.js';
import { HealthController } from './health.controller.js';
import { OperatorController } from './operator.controller.js';
import { PARAMETER_DESCRIPTIONS } from './parameter-descriptions.js';

/** A server that accepts requests. */
export interface StartedServer {
  /** Address on which it listens. */
  readonly url: string;
  readonly port: number;
  /** Set when this start created the organization. */
  readonly firstStart: FirstStartResult | undefined;
  readonly zuliprcPath: string;
  /** Issues the address at which the owner of a new organization signs in, once, from this machine; undefined for another start. */
  readonly ownerLink: (() => string) | undefined;
  /** Answers open requests, finishes work in progress, and closes the stores. */
  stop(): Promise<void>;
}

/** The server before it listens: caught up, with its organization. */
interface Prepared {
  readonly app: NestFastifyApplication;
  readonly firstStart: FirstStartResult | undefined;
  /** Stops background work, and closes the stores. */
  close(): Promise<void>;
}

const QUIET =
  'This server is quiet: no mail, push, webhook, timer, notification or removal until it starts without QUIET and READ_ONLY.';

/** File with the owner's credentials, in the data directory. */
const ZULIPRC = 'owner.zuliprc';

/** A projector that takes over needs less; after it, its absence is reported. */
const ACCEPTING_WITHIN_MS = 10_000;

/** What a start has to do with: what it was asked for, whom it tells, and what ends it. */
interface Start {
  readonly composition: Composition;
  readonly settings: Settings;
  readonly site: Site;
  readonly logger: Logger;
  readonly observers: Observers;
  readonly progress: StartProgress;
  /** Ends the start. */
  readonly signal: AbortSignal;
}

@Module({})
class ServerModule {
  static with(
    { composition, settings, logger, observers }: Start,
    foundations: Foundations,
    readSide: DynamicModule,
  ): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        StoresModule.with(composition, foundations, logger, observers),
        readSide,
        RegisterModule.with(composition.features),
        ...composition.features.modules,
      ],
      controllers: [DoctorController, HeldController, HealthController, OperatorController],
      providers: [
        { provide: Authenticator, useExisting: SessionAuthenticator },
        {
          provide: Doctor,
          inject: [
            Site,
            EventStore,
            ReadStore,
            DueTimers,
            ReadSideOperations,
            BackgroundRunner,
            PendingWork,
            Directory,
            LogStatistics,
          ],
          useFactory: (
            site: Site,
            events: EventStore,
            readStore: ReadStore,
            timers: DueTimers,
            readSide: ReadSideOperations,
            background: BackgroundRunner,
            pending: PendingWork,
            directory: Directory,
            statistics: LogStatistics,
          ) =>
            new Doctor({
              ...{ settings, site, events, readStore, timers, readSide, background, pending, directory, statistics },
              collections: new Set(collectionsOf(composition).map(({ name }) => name)),
            }),
        },
      ],
      exports: [Authenticator],
    };
  }
}

/**
 * Listens, is not ready and says how far it has come; meanwhile opens the stores, catches up, and creates the organization on an
 * empty store. With a store on a server it retries until that has worked.
 * @param observers watch the server from inside
 * @param onDamage is called when the file of the read models must be built again, which the next start does
 * @param signal ends the start at once; it rejects then, and everything opened is closed
 */
export async function startOnce(
  settings: Settings,
  logger: Logger,
  composition: Composition,
  observers: Observers,
  onDamage: (damage: ReadStoreDamaged) => void,
  signal: AbortSignal,
): Promise<StartedServer> {
  const site = new Site(settings.siteUrl ?? originOf(settings.host, settings.port));
  const progress = new StartProgress(logger);
  const room = await PlainServer.listen(settings.host, settings.port, () => progress.refusal, notReady(STARTING));
  const { port } = room;
  if (settings.siteUrl === undefined) site.url = originOf(settings.host, port);
  const isOneOfMany = isShared(settings);
  const projector =
    isOneOfMany && settings.projector ? new Projector(settings, logger, composition, observers).start() : undefined;
  // Whoever looks at the metrics sees a server that is not ready, and not none.
  const unwatch = observers.metrics?.watch({ name: 'api', complaint: () => STARTING, work: () => [] });
  let prepared: Prepared | undefined;
  try {
    prepared = await prepare({ composition, settings, site, logger, observers, progress, signal }, onDamage);
    signal.throwIfAborted();
    await room.close();
    const server = await listen(prepared, settings, port, site, observers.ending);
    const stop = async (): Promise<void> => {
      await server.stop();
      await projector?.stop();
    };
    return { ...server, stop };
  } catch (error) {
    // The first failure is the one to report.
    await Promise.allSettled([room.close(), prepared?.close(), projector?.stop()]);
    throw error;
  } finally {
    progress.end();
    unwatch?.();
  }
}

async function prepare(start: Start, onDamage: (damage: ReadStoreDamaged) => void): Promise<Prepared> {
  const { settings, logger, signal } = start;
  const alone = (): Promise<Prepared> =>
    prepareAlone(start, onDamage).catch((error: unknown) => {
      if (!(error instanceof ReadStoreDamaged)) throw error;
      logger.error({ err: error }, 'Read models are damaged.');
      return prepareAlone(start, onDamage);
    });
  if (isEmbedded(settings)) return alone();
  if (!settings.isSecretGiven)
    logger.warn('SECRET_KEY is not set: another process, or another DATA_DIR, will refuse the API keys of this one.');
  return untilAvailable(isShared(settings) ? () => prepareOneOfMany(start) : alone, logger, signal);
}

async function listen(
  prepared: Prepared,
  settings: Settings,
  port: number,
  site: Site,
  steps = new EndingSteps(),
): Promise<StartedServer> {
  const { app, firstStart } = prepared;
  const zuliprcPath = join(settings.dataDir, ZULIPRC);
  // The file exists when the server is ready.
  keepZuliprc(zuliprcPath, app.get(FirstStart, { strict: false }).zuliprc(site.url));
  await app.listen(port, settings.host);
  return {
    url: originOf(settings.host, port),
    port,
    firstStart,
    zuliprcPath,
    ownerLink:
      firstStart &&
      (() => originOf(settings.host, port) + app.get(OwnerLink, { strict: false }).issue(firstStart.ownerEmail)),
    stop: async () => {
      await steps.run('requests', () => closeGracefully(app));
      await prepared.close();
    },
  };
}

/** What the OpenAPI document says of the server. */
function describedBy({ features }: Composition): Partial<OpenApiSettings> {
  return {
    version: SERVER_VERSION,
    info: {
      'x-feature-level': FEATURE_LEVEL,
      description: `The interface of feature level ${FEATURE_LEVEL}.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    parameters: PARAMETER_DESCRIPTIONS,
    examples: async () => (await import('./openapi-examples.generated.js')).EXAMPLES,
    components: () => clientComponents(features),
  };
}

/** The whole server in one process. Everything opened is closed when it fails. */
async function prepareAlone(start: Start, onDamage: (damage: ReadStoreDamaged) => void): Promise<Prepared> {
  const { composition, settings, logger, observers, progress, signal } = start;
  progress.enters('opening');
  const stores = await openOwnStores(settings, composition.registry, logger, observers, collectionsOf(composition));
  const undo: Undo = [['stores', () => closeStores(stores, observers.ending)]];
  const close = (): Promise<void> => undone(undo, observers.ending);
  try {
    const { readStore, side } = stores.reads;
    await keepFormerRelease(stores.reads, composition, logger, signal);
    const foundations = {
      events: stores.events,
      readStore,
      setAside: new SetAside(),
      side,
      broadcast: new LocalBroadcast(),
      moveLock: () => new MoveLock(),
    };
    const readSide = ReadSideModule.whole(composition, settings, logger, observers);
    const app = await createApp(start, foundations, readSide);
    const engine = app.get(ProjectionEngine);
    const queues = app.get(EventQueues);
    undo.push(
      ['feed', () => app.get(FeedFollower).close()],
      ['projections', () => engine.stop()],
      [
        'metrics',
        watch(app, observers, {
          engine,
          pending: pendingWork(readStore, composition, app.get(Clock), app.get(PendingWork)),
        }),
      ],
    );
    progress.reads(() => engine.status().catchUp);
    await endedBy(signal, () => engine.stop(), engine.start());
    progress.enters('finishing');
    const mending = new MendReadModels(stores.reads, engine, logger, onDamage);
    undo.push(['repair of read models', () => mending.stop()]);
    await mending.start();
    undo.push(['queues', () => queues.close()]);
    await queues.start();
    undo.push(
      ['background work', startBackgroundWork(app, composition, settings)],
      ['snapshots', startSnapshots(app, stores.reads, start)],
    );
    return { app, firstStart: await createOrganization(app, start), close };
  } catch (error) {
    if (error instanceof ReadStoreDamaged) stores.reads.files.markDamaged();
    // The first failure is the one to report.
    await close().catch(() => undefined);
    throw error instanceof ReadStoreUnavailable ? asUnusable('READ_STORE_URL', settings.readStoreUrl, error) : error;
  }
}

/** The work, which `end` ends early when the signal aborts; it fails then. */
async function endedBy<Result>(signal: AbortSignal, end: () => Promise<void>, work: Promise<Result>): Promise<Result> {
  const listening = addAbortListener(signal, () => void end());
  try {
    const result = await work;
    // With little to do, the work was done before it could be ended.
    signal.throwIfAborted();
    return result;
  } finally {
    listening[Symbol.dispose]();
  }
}

/**
 * Starts carrying out what other or earlier processes left open, firing timers, and the rest of the work in the background.
 * @returns a function that stops it
 */
function startBackgroundWork(
  app: NestFastifyApplication,
  { features }: Composition,
  { quiet, readOnly }: Settings,
): () => Promise<void> {
  const background = app.get(BackgroundRunner);
  // Follow-ups complete what was recorded, within the log. Everything else acts outside of it, or removes something.
  if (quiet) {
    background.start(readOnly ? [] : [app.get(FollowUps)]);
    return () => background.stop();
  }
  const works = features.work.map((type) => app.get(type, { strict: false }));
  background.start([app.get(FollowUps), app.get(Timers), ...works]);
  return () => background.stop();
}

/** @returns a function that ends the snapshots of read models */
function startSnapshots(
  app: NestFastifyApplication,
  { files }: EmbeddedReadStores,
  { settings, logger }: Start,
): () => Promise<void> {
  const { snapshotHour: hour, quiet } = settings;
  // A copy on which something is tried is not kept.
  if (quiet) return () => Promise.resolve();
  const snapshots = new ReadModelSnapshots({ files, hour, clock: app.get(Clock), logger });
  snapshots.start();
  return () => snapshots.stop();
}

/**
 * Lets the metrics look at the server.
 * @returns a function that ends it
 */
function watch(
  app: NestFastifyApplication,
  { metrics }: Observers,
  engine: Pick<WatchedPart, 'engine' | 'pending'>,
): () => void {
  const health = app.get(HealthController, { strict: false });
  const background = app.get(BackgroundRunner);
  const shutdown = app.get(Shutdown);
  const retention = app.get(Retention, { strict: false });
  const part: WatchedPart = {
    name: 'api',
    complaint: () => health.complaint,
    work: () => background.status(),
    queues: app.get(EventQueues),
    requests: () => shutdown.inFlight,
    retention: () => retention.progress(),
    ...engine,
  };
  return metrics?.watch(part) ?? (() => undefined);
}

/** Steps that take back what a start has done, in the order of the start. */
type Undo = (readonly [step: string, undo: () => unknown])[];

async function undone(undo: Undo, steps = new EndingSteps()): Promise<void> {
  const failures: unknown[] = [];
  // An unavailable store must not prevent the others from being closed.
  for (const [step, takeBack] of undo.toReversed()) {
    try {
      await steps.run(step, takeBack);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** One of many processes that serve clients, beside a projector. Everything opened is closed when it fails. */
async function prepareOneOfMany(start: Start): Promise<Prepared> {
  const { composition, settings, logger, observers, signal } = start;
  start.progress.enters('opening');
  const stores = await openCommonStores(settings, composition.registry, logger, observers);
  const { side, broadcast, progress, leases } = stores.reads;
  const onError = nowAndThen((error) => {
    logger.warn({ err: error }, 'Messages between processes cannot be sent or received at the moment.');
  });
  const setAside = new SetAside();
  const monitor = new ProjectorMonitor(leases, side, broadcast, onError, setAside);
  const undo: Undo = [
    ['stores', () => closeStores(stores, observers.ending)],
    ['monitor of the projector', () => monitor.stop()],
  ];
  const close = (): Promise<void> => undone(undo, observers.ending);
  try {
    const moveLock = (barrier: ReadBarrier): MoveLock =>
      new SharedMoveLock({ leases, side, broadcast, barrier, onError, reads: readingOf(collectionsOf(composition)) });
    const readStore = stores.reads.reading();
    const foundations = { events: stores.events, readStore, setAside, side, broadcast, leases, moveLock };
    const readSide = ReadSideModule.reading(composition, settings, logger, progress, monitor, observers);
    const app = await createApp(start, foundations, readSide);
    const replica = app.get(Replica);
    const queues = app.get(EventQueues);
    undo.push(['replica', () => replica.stop()], ['metrics', watch(app, observers, {})]);
    await monitor.start();
    start.progress.reads(() => monitor.status().catchUp);
    await endedBy(signal, () => replica.stop(), replica.start());
    // The process that creates the organization must see the result, since it shows the password once.
    await untilAvailable(() => accepting(replica, signal), logger, signal);
    start.progress.enters('finishing');
    undo.push(['queues', () => queues.close()]);
    await queues.start();
    const shared: SharedMoveLock = app.get(MoveLock);
    undo.push(['moves', () => shared.stop()]);
    await shared.start();
    undo.push(['background work', startBackgroundWork(app, composition, settings)]);
    return { app, firstStart: await createOrganization(app, start), close };
  } catch (error) {
    // The first failure is the one to report.
    await close().catch(() => undefined);
    throw error;
  }
}

/** @throws Refusal SERVER_NOT_READY when it takes too long */
async function accepting(replica: Replica, signal: AbortSignal): Promise<void> {
  const deadlineMs = performance.now() + ACCEPTING_WITHIN_MS;
  while (replica.complaint !== undefined && performance.now() < deadlineMs) {
    signal.throwIfAborted();
    await pause(20);
  }
  replica.assertAccepting();
}

async function createApp(
  start: Start,
  foundations: Omit<Foundations, 'site' | 'services' | 'blobs' | 'exportFolder' | 'mail' | 'push' | 'secret'>,
  readSide: DynamicModule,
): Promise<NestFastifyApplication> {
  const { composition, settings, site, logger, observers } = start;
  const { rateLimits, trustProxy, eventAddresses: addresses, secret } = settings;
  const operatorToken = OperatorToken.of(settings);
  const { metrics, spans } = observers;
  let barrier: ReadBarrier | undefined;
  const blobs = blobStoreOf(settings);
  await cleanUpBlobs(blobs, settings, logger);
  if (settings.quiet) logger.warn({ recordsNothing: settings.readOnly }, QUIET);
  const services = servicesOf(settings);
  const mail = mailTransportOf(settings, site);
  const push = pushServiceOf(settings);
  if (settings.smtp === undefined)
    logger.info({ folder: mailFolder(settings.dataDir) }, 'SMTP_URL is not set: mail is written into files.');
  return createHttpApp(
    ServerModule.with(
      start,
      { ...foundations, site, services, blobs, exportFolder: exportFolder(settings), mail, push, secret },
      readSide,
    ),
    {
      rateLimits,
      readOnly: settings.readOnly,
      trustProxy,
      addresses,
      logger,
      openApi: describedBy(composition),
      logAddresses: settings.logAddresses,
      ...(spans === undefined ? {} : { spans }),
      ...(metrics === undefined ? {} : { onAnswered: (answered) => metrics.requests.add(answered) }),
      ...(settings.webFolder !== undefined && { webFolder: settings.webFolder }),
      onOperator: (app, call, origin) => {
        app?.get(UseLog, { strict: false }).note({ kind: 'operator-called', call, origin });
      },
      siteUrl: () => site.url,
      // Called before every request, so the provider is looked up once.
      current: (app) => {
        barrier ??= app.get<ReadBarrier>(ReadBarrier);
        return barrier.sync();
      },
      operator: async (app, token) =>
        (await operatorToken.matches(token)) ? operatorOf(app.get(Directory, { strict: false })) : undefined,
      frontPage: (app) => ({
        name: app.get(Directory, { strict: false }).organization.name,
        siteUrl: site.url,
        complaint: app.get(HealthController, { strict: false }).complaint,
        credentialsFile: ZULIPRC,
      }),
    },
  );
}

async function createOrganization(app: NestFastifyApplication, { settings, site, logger }: Start) {
  if (settings.readOnly) {
    if (app.get(Directory, { strict: false }).exists) return undefined;
    throw new SettingsError('READ_ONLY=on needs a log that has an organization. This one is empty.');
  }
  const bootstrap = app.get(FirstStart, { strict: false });
  const result = await bootstrap.run({ ...settings, botDomain: new URL(site.url).hostname });
  await app.get(RecordUpgrade, { strict: false }).record();
  if (isEmbedded(settings))
    await app.get(RecordRepairs, { strict: false }).record(settings.eventStoreUrl.replace(/^sqlite:(?:\/\/)?/, ''));
  const { deactivated } = app.get(Directory, { strict: false }).organization;
  if (deactivated !== undefined) logger.warn(deactivated, deactivationNotice(deactivated.deleteFrom));
  return result;
}

function deactivationNotice(deleteFrom: number | undefined): string {
  const deletion =
    deleteFrom === undefined ? '' : ` Its owner wants the data deleted from ${dateOf(deleteFrom)} on, by the operator.`;
  return `The organization is deactivated: nobody has access.${deletion} \`scrollback reactivate\` undoes it.`;
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** Writes the owner's credentials when they are missing or outdated. Additions by others below them stay. */
function keepZuliprc(path: string, zuliprc: string | undefined): void {
  if (zuliprc === undefined) return;
  inDataDir(path, () => {
    if (!existsSync(path) || !readFileSync(path, 'utf8').startsWith(zuliprc)) writePrivateFile(path, zuliprc);
  });
}

function originOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type DynamicModule, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ChannelsModule } from '#channels';
import { Visibility } from '#event-store';
import { EventQueues, FeedFollower, FeedModule, Replica } from '#feed';
import { FollowUps } from '#follow-ups';
import { Authenticator, closeGracefully, createHttpApp, createLogger, type Logger } from '#http';
import { MessagesModule, MoveTurns, SharedMoveTurns } from '#messages';
import { SERVER_VERSION, Site } from '#organization';
import { LocalBroadcast, notReady, ProjectionEngine, ProjectorWatch } from '#read-store';
import { RegisterModule } from '#register';
import { DirectoryAuthenticator, FirstStart, type FirstStartResult, UsersModule } from '#users';
import { HealthController } from './health.controller.js';
import { assertCanListen } from './listening.js';
import { OperatorController } from './operator.controller.js';
import { nowAndThen, untilAvailable } from './patience.js';
import { PlainServer } from './plain-server.js';
import { writePrivateFile } from './private-file.js';
import { ReadSideModule } from './read-side.module.js';
import { isEmbedded, isShared, type Settings } from './settings.js';
import { closeStores, openCommonStores, openOwnStores } from './stores.js';
import { type Foundations, StoresModule } from './stores.module.js';

/** A server that accepts requests. */
export interface RunningServer {
  /** Where it listens. */
  readonly url: string;
  readonly port: number;
  /** Set when this start created the organization. */
  readonly firstStart: FirstStartResult | undefined;
  readonly zuliprcPath: string;
  /** Answers what is open, finishes what was begun, and closes the stores. */
  stop(): Promise<void>;
}

/** Everything but the listening: caught up, with its organization. */
interface Prepared {
  readonly app: NestFastifyApplication;
  readonly firstStart: FirstStartResult | undefined;
  /** Ends what runs behind the requests, and closes the stores. */
  close(): Promise<void>;
}

/** A projector that takes over needs less; when there is none, that is said. */
const ACCEPTING_WITHIN_MS = 10_000;

@Module({})
class ServerModule {
  static with(foundations: Foundations, readSide: DynamicModule, logger: Logger): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        StoresModule.with(foundations, logger),
        readSide,
        ChannelsModule,
        FeedModule,
        MessagesModule,
        RegisterModule,
        UsersModule,
      ],
      controllers: [HealthController, OperatorController],
      providers: [{ provide: Authenticator, useExisting: DirectoryAuthenticator }],
      exports: [Authenticator],
    };
  }
}

/**
 * Opens the stores, catches up, creates the organization on an empty store, and listens. When a store is on a server it
 * listens first, is not ready, and keeps trying until that has worked.
 */
export async function startServer(
  settings: Settings,
  logger = createLogger(settings.logLevel),
): Promise<RunningServer> {
  await assertCanListen(settings.host, settings.port);
  const site = new Site(settings.siteUrl ?? originOf(settings.host, settings.port));
  const prepare = (): Promise<Prepared> => prepareAlone(settings, site, logger);
  if (isEmbedded(settings)) return listen(await prepare(), settings, settings.port, site);
  if (!settings.isSecretGiven)
    logger.warn('SECRET_KEY is not set: another process, or another DATA_DIR, will not take the API keys of this one.');
  const starting = notReady('The server is starting.');
  const room = await PlainServer.listen(settings.host, settings.port, () => starting, starting);
  const { port } = room;
  if (settings.siteUrl === undefined) site.url = originOf(settings.host, port);
  const isOneOfMany = isShared(settings);
  const projector = isOneOfMany && settings.projector ? await standBy(settings, logger) : undefined;
  const prepared = await untilAvailable(isOneOfMany ? () => prepareOneOfMany(settings, site, logger) : prepare, logger);
  await room.close();
  const server = await listen(prepared, settings, port, site);
  const stop = async (): Promise<void> => {
    await server.stop();
    await projector?.stop();
  };
  return { ...server, stop };
}

/** Loaded only by who runs it. */
async function standBy(settings: Settings, logger: Logger): Promise<{ stop(): Promise<void> }> {
  const { Projector } = await import('../../projector/src/projector.js');
  return new Projector(settings, logger).start();
}

async function listen(prepared: Prepared, settings: Settings, at: number, site: Site): Promise<RunningServer> {
  const { app, firstStart } = prepared;
  const zuliprcPath = join(settings.dataDir, 'owner.zuliprc');
  const keep = (): void => keepZuliprc(zuliprcPath, app.get(FirstStart, { strict: false }).zuliprc(site.url));
  // Whoever finds the server ready finds the file. A port that the system chooses is known only when it listens.
  if (at !== 0) keep();
  await app.listen(at, settings.host);
  const { port } = app.getHttpServer().address() as { port: number };
  if (at === 0) {
    if (settings.siteUrl === undefined) site.url = originOf(settings.host, port);
    keep();
  }
  return {
    url: originOf(settings.host, port),
    port,
    firstStart,
    zuliprcPath,
    stop: async () => {
      await closeGracefully(app);
      await prepared.close();
    },
  };
}

/** The whole server in one process. What was begun is undone when it fails. */
async function prepareAlone(settings: Settings, site: Site, logger: Logger): Promise<Prepared> {
  const stores = await openOwnStores(settings, logger);
  const undo: (() => unknown)[] = [() => closeStores(stores)];
  const close = (): Promise<void> => undone(undo);
  try {
    const { readStore, side } = stores.reads;
    const foundations = {
      events: stores.events,
      readStore,
      side,
      broadcast: new LocalBroadcast(),
      turns: () => new MoveTurns(),
    };
    const app = await createApp(settings, site, logger, foundations, ReadSideModule.whole(settings, logger));
    const engine = app.get(ProjectionEngine);
    const queues = app.get(EventQueues);
    undo.push(
      () => app.get(FeedFollower).close(),
      () => engine.stop(),
    );
    await engine.start();
    undo.push(() => queues.close());
    await queues.start();
    undo.push(startFollowUps(app));
    return { app, firstStart: await createOrganization(app, settings, site), close };
  } catch (error) {
    // What failed first is what to tell.
    await close().catch(() => undefined);
    throw error;
  }
}

/** @returns what ends it */
function startFollowUps(app: NestFastifyApplication): () => Promise<void> {
  const followUps = app.get(FollowUps);
  followUps.start();
  return () => followUps.stop();
}

async function undone(undo: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  // A store that is away must not leave the others open.
  for (const step of undo.toReversed()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** One of any number of processes that serve clients, beside a projector. What was begun is undone when it fails. */
async function prepareOneOfMany(settings: Settings, site: Site, logger: Logger): Promise<Prepared> {
  const stores = await openCommonStores(settings, logger);
  const { side, broadcast, progress, leases } = stores.reads;
  const onError = nowAndThen((error) => {
    logger.warn({ err: error }, 'Other processes cannot be heard, or told, at the moment.');
  });
  const watch = new ProjectorWatch(side, onError);
  const undo: (() => unknown)[] = [() => closeStores(stores), () => watch.stop()];
  const close = (): Promise<void> => undone(undo);
  try {
    const turns = (visibility: Visibility): MoveTurns =>
      new SharedMoveTurns({ leases, side, broadcast, visibility, onError });
    const foundations = { events: stores.events, readStore: stores.reads.reading(), side, broadcast, turns };
    const readSide = ReadSideModule.reading(settings, logger, progress, watch);
    const app = await createApp(settings, site, logger, foundations, readSide);
    const replica = app.get(Replica);
    const queues = app.get(EventQueues);
    undo.push(() => replica.stop());
    await watch.start();
    await replica.start();
    // Whoever creates the organization is to see it done: its password is shown once.
    await untilAvailable(() => accepting(replica), logger);
    undo.push(() => queues.close());
    await queues.start();
    const shared: SharedMoveTurns = app.get(MoveTurns);
    undo.push(() => shared.stop());
    await shared.start();
    undo.push(startFollowUps(app));
    return { app, firstStart: await createOrganization(app, settings, site), close };
  } catch (error) {
    // What failed first is what to tell.
    await close().catch(() => undefined);
    throw error;
  }
}

/** @throws Refusal SERVER_NOT_READY when it takes long */
async function accepting(replica: Replica): Promise<void> {
  const deadlineMs = performance.now() + ACCEPTING_WITHIN_MS;
  while (replica.complaint !== undefined && performance.now() < deadlineMs) await pause(20);
  replica.assertAccepting();
}

function createApp(
  settings: Settings,
  site: Site,
  logger: Logger,
  foundations: Omit<Foundations, 'site' | 'secret'>,
  readSide: DynamicModule,
): Promise<NestFastifyApplication> {
  const { rateLimits, trustProxy, secret } = settings;
  let visibility: Visibility | undefined;
  return createHttpApp(ServerModule.with({ ...foundations, site, secret }, readSide, logger), {
    rateLimits,
    trustProxy,
    logger,
    version: SERVER_VERSION,
    // Asked before every request, so it is looked up once.
    current: (app) => {
      visibility ??= app.get<Visibility>(Visibility);
      return visibility.current();
    },
  });
}

function createOrganization(app: NestFastifyApplication, settings: Settings, site: Site) {
  const bootstrap = app.get(FirstStart, { strict: false });
  return bootstrap.run({ ...settings, botDomain: new URL(site.url).hostname });
}

/** Writes the owner's credentials where they are missing or not true any more. What somebody added below them stays. */
function keepZuliprc(path: string, zuliprc: string | undefined): void {
  if (zuliprc === undefined || (existsSync(path) && readFileSync(path, 'utf8').startsWith(zuliprc))) return;
  writePrivateFile(path, zuliprc);
}

function originOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

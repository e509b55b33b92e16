import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import { ChannelsModule } from '#channels';
import { EventStore } from '#event-store';
import { EventQueues, FeedFollower, FeedModule } from '#feed';
import { Authenticator, closeGracefully, createHttpApp, createLogger, type Logger } from '#http';
import { MessagesModule } from '#messages';
import { SERVER_VERSION, Site } from '#organization';
import { ProjectionEngine, ReadStore, SideStore } from '#read-store';
import { RegisterModule } from '#register';
import { DirectoryAuthenticator, FirstStart, type FirstStartResult, UsersModule } from '#users';
import { HealthController } from './health.controller.js';
import { assertCanListen } from './listening.js';
import { OperatorController } from './operator.controller.js';
import { writePrivateFile } from './private-file.js';
import { ReadSideModule } from './read-side.module.js';
import type { Settings } from './settings.js';
import { StoresModule } from './stores.module.js';

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

@Module({})
class ServerModule {
  static with(settings: Settings, site: Site, logger: Logger): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        StoresModule.with(settings, site, logger),
        ReadSideModule.with(settings, logger),
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

/** Opens the stores, catches up, creates the organization on an empty store, and listens. */
export async function startServer(
  settings: Settings,
  logger = createLogger(settings.logLevel),
): Promise<RunningServer> {
  await assertCanListen(settings.host, settings.port);
  const site = new Site(settings.siteUrl ?? originOf(settings.host, settings.port));
  const app = await createHttpApp(ServerModule.with(settings, site, logger), {
    rateLimits: settings.rateLimits,
    trustProxy: settings.trustProxy,
    logger,
    version: SERVER_VERSION,
  });
  const engine = app.get(ProjectionEngine);
  const queues = app.get(EventQueues);
  await engine.start();
  await queues.start();
  const bootstrap = app.get(FirstStart, { strict: false });
  const firstStart = await bootstrap.run({ ...settings, botDomain: new URL(site.url).hostname });
  await app.listen(settings.port, settings.host);
  const { port } = app.getHttpServer().address() as { port: number };
  if (settings.siteUrl === undefined) site.url = originOf(settings.host, port);
  const zuliprcPath = join(settings.dataDir, 'owner.zuliprc');
  keepZuliprc(zuliprcPath, bootstrap.zuliprc(site.url));
  return {
    url: originOf(settings.host, port),
    port,
    firstStart,
    zuliprcPath,
    stop: async () => {
      await closeGracefully(app);
      await queues.close();
      await engine.stop();
      await app.get(FeedFollower).close();
      await app.get(EventStore).close();
      await app.get(SideStore).close();
      await app.get(ReadStore).close();
    },
  };
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

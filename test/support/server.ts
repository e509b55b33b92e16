import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStore } from '#event-store';
import { createLogger } from '#http';
import { eventRegistry } from '../../apps/api/src/event-registry.js';
import { startServer, type RunningServer } from '../../apps/api/src/server.js';
import { readSettings } from '../../apps/api/src/settings.js';
import { ApiClient } from './client.js';
import { isShared } from './pairings.js';
import { openSharedStores } from './shared-stores.js';

/**
 * A server under test in this process: stores of its own, in a folder or, with TEST_STORES=shared, on servers; and a real
 * socket on a free port.
 */
export interface TestServer {
  readonly dataDir: string;
  /** Where the log is; to be opened while the server is stopped. */
  readonly eventStoreUrl: string;
  readonly url: string;
  readonly owner: ApiClient;
  /** A new account, logged in by its password. */
  user(name?: string): Promise<ApiClient>;
  /** Stops and starts again over the same data; clients made before keep working, on the new port. */
  restart(between?: () => void | Promise<void>): Promise<void>;
  /** Throws the read models away. To be called while the server is stopped. */
  forgetReadModels(): void | Promise<void>;
  /** Everything that the log holds, as text. */
  rawLog(): Promise<string>;
  stop(): Promise<void>;
}

let made = 0;

/**
 * @param environment settings beside the usual ones of tests
 * @param log gets every line that the server logs, of whatever level
 */
export async function startTestServer(
  environment: Record<string, string> = {},
  log?: (line: string) => void,
): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'scrollback-test-'));
  const shared = isShared ? await openSharedStores() : undefined;
  const settings = (): ReturnType<typeof readSettings> =>
    readSettings({
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
      OWNER_EMAIL: 'olive@example.test',
      OWNER_NAME: 'Olive Owner',
      OWNER_PASSWORD: 'correct horse',
      ...shared?.environment,
      ...environment,
    });
  const start = (): Promise<RunningServer> =>
    startServer(settings(), log === undefined ? undefined : createLogger('trace', { write: log }));
  let running = await start();
  const url = (): string => running.url;
  const zuliprc = readFileSync(running.zuliprcPath, 'utf8');
  const field = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(zuliprc)?.[1] ?? '';
  const owner = new ApiClient(url, field('email'), field('key'));
  return {
    dataDir,
    eventStoreUrl: shared?.standIn.url ?? `sqlite:${join(dataDir, 'events.db')}`,
    get url() {
      return url();
    },
    owner,
    async user(name = `User ${String.fromCodePoint(65 + (made % 26))}${++made}`) {
      const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.test`;
      const password = `the password of ${name}`;
      await owner.ok('POST', '/users', { email, password, full_name: name });
      const { api_key } = await owner.ok('POST', '/fetch_api_key', { username: email, password });
      const client = new ApiClient(url, email, String(api_key), name);
      client.userId = Number((await client.ok('GET', '/users/me')).user_id);
      return client;
    },
    async restart(between = () => undefined) {
      await running.stop();
      await between();
      running = await start();
    },
    forgetReadModels() {
      if (shared !== undefined) return shared.forgetReadModels();
      for (const name of readdirSync(dataDir)) {
        if (name.includes('read-models.db')) rmSync(join(dataDir, name));
      }
    },
    async rawLog() {
      if (shared === undefined) {
        return ['events.db', 'events.db-wal'].map((name) => readFileSync(join(dataDir, name), 'latin1')).join('');
      }
      const store = await openEventStore(shared.standIn.url, eventRegistry);
      const pages: string[] = [];
      for await (const page of store.readAll({})) pages.push(JSON.stringify(page));
      await store.close();
      return pages.join('\n');
    },
    async stop() {
      await running.stop();
      await shared?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

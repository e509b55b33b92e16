import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStore } from '#event-store';
import { createLogger } from '#http';
import { startServer, type RunningServer } from '../../apps/api/src/running-server.js';
import { readSettings, scrollback } from '#runtime';
import { fetch, freePort } from '#testing';
import { PasswordCost } from '#users';
import { ApiClient } from './client.js';
import { type FileStorage, openFileStorage } from './file-storage.js';
import { isShared } from './pairings.js';
import { openSharedStores } from './shared-stores.js';
import { checkAnswersOf } from './wire/answers-checked.js';

/**
 * A server under test in this process, with its own stores, in a folder or, with TEST_STORES=shared, on servers; and a
 * real socket on a free port.
 */
export interface TestServer {
  readonly dataDir: string;
  /** Where it keeps the content of files. */
  readonly files: FileStorage;
  /** Address of the log; to be opened while the server is stopped. */
  readonly eventStoreUrl: string;
  /** Settings that select its stores where the data directory does not; for commands that open them. */
  readonly storeSettings: Readonly<Record<string, string>>;
  readonly url: string;
  /** Address of the metrics; empty without the setting METRICS_ADDRESS. */
  readonly metricsUrl: string;
  /** The metrics as text. */
  metrics(): Promise<string>;
  readonly owner: ApiClient;
  /** See `StartedServer`. */
  readonly ownerLink: (() => string) | undefined;
  /** A new account, logged in by its password. */
  user(name?: string): Promise<ApiClient>;
  /** Restarts on the same data; existing clients keep working, on the new port. */
  restart(between?: () => void | Promise<void>): Promise<void>;
  /** Discards the read models. Must be called while the server is stopped. */
  forgetReadModels(): void | Promise<void>;
  /** The whole log as text. */
  rawLog(): Promise<string>;
  stop(): Promise<void>;
}

/** The least that argon2id takes: the suites make thousands of hashes. */
const LITTLE = new PasswordCost(8, 1);

let made = 0;

/**
 * @param environment settings beside the usual ones of tests
 * @param log receives every log line of the server, of any level
 * @param composition the features of the server
 * @param webFolder folder of the built chat page
 */
export async function startTestServer(
  environment: Record<string, string> = {},
  log?: (line: string) => void,
  composition = scrollback,
  webFolder?: string,
): Promise<TestServer> {
  checkAnswersOf(composition);
  const dataDir = mkdtempSync(join(tmpdir(), 'scrollback-test-'));
  const shared = isShared ? await openSharedStores() : undefined;
  const files = await openFileStorage(dataDir);
  const settings = (): ReturnType<typeof readSettings> => ({
    ...readSettings({
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
      OWNER_EMAIL: 'olive@example.test',
      OWNER_NAME: 'Olive Owner',
      OWNER_PASSWORD: 'correct horse',
      ...shared?.environment,
      ...files.environment,
      ...environment,
    }),
    passwordCost: LITTLE,
    ...(webFolder !== undefined && { webFolder }),
  });
  const start = async (): Promise<RunningServer> => {
    const read = settings();
    // One that the system has chosen may be given to a connection before the server listens at it again, when its read models are there.
    const port = read.port === 0 ? await freePort() : read.port;
    const logger = log === undefined ? undefined : createLogger('trace', { write: log });
    return startServer({ ...read, port }, logger, composition);
  };
  let running = await start();
  const url = (): string => running.url;
  const zuliprc = readFileSync(running.zuliprcPath, 'utf8');
  const field = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(zuliprc)?.[1] ?? '';
  const owner = new ApiClient(url, field('email'), field('key'));
  owner.isPatient = true;
  // The stories count the messages that they send.
  await owner.ok('PATCH', '/realm', { send_channel_events_messages: false });
  return {
    dataDir,
    files,
    storeSettings: shared?.environment ?? {},
    eventStoreUrl: shared?.standIn.url ?? `sqlite:${join(dataDir, 'events.db')}`,
    get url() {
      return url();
    },
    owner,
    get metricsUrl() {
      return running.metricsUrl ?? '';
    },
    async metrics() {
      const answer = await fetch(running.metricsUrl ?? '');
      if (answer.status !== 200) throw new Error(`Metrics: ${answer.status}`);
      return answer.text();
    },
    ownerLink: running.ownerLink,
    async user(name = `User ${String.fromCodePoint(65 + (made % 26))}${++made}`) {
      const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.test`;
      const password = `the password of ${name}`;
      await owner.ok('POST', '/users', { email, password, full_name: name });
      const { api_key } = await owner.ok('POST', '/fetch_api_key', { username: email, password });
      const client = new ApiClient(url, email, String(api_key), name);
      client.isPatient = true;
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
      const store = await openEventStore(shared.standIn.url, composition.registry);
      const pages: string[] = [];
      for await (const page of store.readAll({})) pages.push(JSON.stringify(page));
      await store.close();
      return pages.join('\n');
    },
    async stop() {
      await running.stop();
      await shared?.stop();
      await files.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

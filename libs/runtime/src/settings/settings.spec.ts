import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PasswordCost } from '#users';
import { createLogger } from '#http';
import { openMetrics } from '../open-metrics.js';
import { readSettings, SettingsError } from './settings.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const read = (environment: Record<string, string>): ReturnType<typeof readSettings> =>
  readSettings({ DATA_DIR: join(folder, 'data'), ...environment });

test('an empty value is no value', () => {
  const names = ['PORT', 'HOST', 'SITE_URL', 'SECRET_KEY', 'REALM_NAME', 'OWNER_EMAIL', 'OWNER_PASSWORD', 'LOG_LEVEL'];
  expect(read(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(read({}));
});

test.each([
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['LOG_LEVEL', 'loud'],
  ['RATE_LIMITS', 'no'],
  ['SITE_URL', 'chat.example.test'],
  ['SITE_URL', 'https://example.test/chat'],
  ['SECRET_KEY', 'guess me'],
  ['HEARTBEAT_SECONDS', '0'],
  ['ZOOM_CLIENT_ID', 'without a secret'],
  ['ZOOM_OAUTH_URL', 'http://zoom.example'],
  ['ZOOM_API_URL', 'https://api.zoom.example?a=b'],
  ['READ_MODEL_SNAPSHOT_HOUR', '24'],
  ['METRICS_ADDRESS', 'metrics'],
  ['METRICS_ADDRESS', '127.0.0.1:'],
  ['METRICS_ADDRESS', '127.0.0.1:70000'],
  ['METRICS_ADDRESS', 'a b:9993'],
  ['STREAM_PREFIX', '$acme'],
  ['STREAM_PREFIX', 'acme.'],
  ['STREAM_PREFIX', 'x'.repeat(41)],
])('%s=%s is refused by its name', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(SettingsError);
  expect(() => read({ [name]: value })).toThrow(name);
});

test.each([
  [{ PORT: '70000', LOG_LEVEL: 'loud' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ PORT: '1e3' }, 'PORT must be a whole number from 0 to 65535.'],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of: [a-z]+(?:, [a-z]+)+\.$/],
  [{ RATE_LIMITS: 'no' }, 'RATE_LIMITS must be one of: on, off.'],
  [{ UPLOADS_REMOVE_LOCATION: 'yes' }, 'UPLOADS_REMOVE_LOCATION must be one of: on, off.'],
  [{ EVENT_QUEUE_IDLE_SECONDS: '604801' }, 'EVENT_QUEUE_IDLE_SECONDS must be a whole number from 1 to 604800.'],
  [{ HEARTBEAT_SECONDS: '0' }, 'HEARTBEAT_SECONDS must be a whole number from 1 to 600.'],
  [{ EVENT_STORE_URL: 'sqlite:' }, /^EVENT_STORE_URL: An event store's address begins with sqlite:PATH or /],
  [{ EVENT_STORE_URL: 'events.db' }, /^EVENT_STORE_URL: An event store's address begins with sqlite:PATH or /],
  [{ READ_STORE_URL: 'sqlite:' }, /^READ_STORE_URL: A read store's address begins with sqlite:PATH or /],
  [{ SMTP_URL: 'smtp://mail.example?tlsCaFile=x' }, 'SMTP_URL: it has an unknown option: tlsCaFile.'],
  [{ SMTP_URL: 'smtp://mail.example/path' }, 'SMTP_URL: it must have no path.'],
  [{ UPLOADS_URL: 'ftp://example.test' }, /^UPLOADS_URL: it is no address of a storage of files: file:PATH or s3:/],
  [{ UPLOADS_URL: 's3://KEY:secret@host/files?ssl=no' }, 'UPLOADS_URL: it has an unknown option: ssl.'],
  [{ SITE_URL: 'chat.example.test' }, 'SITE_URL must be an http or https address.'],
  [
    { SITE_URL: 'https://example.test/chat' },
    'SITE_URL must be an address without a path: clients expect the interface at its root.',
  ],
  [{ JWT_AUTH_KEY: 'guess me' }, 'JWT_AUTH_KEY: a secret needs at least 32 characters that nobody can guess.'],
  [
    { JWT_AUTH_KEY: 'x'.repeat(32), JWT_AUTH_ALGORITHMS: 'RS256' },
    'JWT_AUTH_KEY: the algorithm RS256 does not fit the key; these do: HS256, HS384, HS512.',
  ],
  [
    { WEBHOOK_HOSTS: 'https://example.org' },
    'WEBHOOK_HOSTS: it is a list of hosts, such as hooks.example.org, *.example.org, 10.1.2.3:8080.',
  ],
  [{ WEBHOOK_HOSTS: 'example.org:65536' }, /^WEBHOOK_HOSTS: it is a list of hosts/],
  [{ WEBHOOK_NETWORKS: '10.0.0.0/33' }, 'WEBHOOK_NETWORKS: 10.0.0.0/33 is no network, such as 10.1.0.0/16.'],
  [{ WEBHOOK_NETWORKS: '10.1.2.3' }, 'WEBHOOK_NETWORKS: 10.1.2.3 is no network, such as 10.1.0.0/16.'],
  [{ DEV_LOGIN: 'yes' }, 'DEV_LOGIN must be one of: on, off.'],
  [
    { DEV_LOGIN: 'on', NODE_ENV: 'production' },
    'DEV_LOGIN lets everyone sign in as anyone: it is refused with NODE_ENV=production.',
  ],
  [{ SECRET_KEY: 'guess me' }, 'SECRET_KEY needs at least 32 characters that nobody can guess.'],
  [
    { STREAM_PREFIX: 'acme.' },
    'STREAM_PREFIX: It has at most 40 letters, digits and dashes, and begins with a letter.',
  ],
  [{ STREAM_PREFIX: 'acme' }, 'STREAM_PREFIX is for an event store that others share; EVENT_STORE_URL is a file.'],
])('%j is refused in these words: %s', (given, words) => {
  expect(() => read(given)).toThrow(words);
});

test.each<Record<string, string>>([
  { PORT: 'abc' },
  { EVENT_STORE_URL: 'events.db' },
  { READ_STORE_URL: 'read-models.db' },
])('settings that cannot be used leave nothing behind: %j', (given) => {
  expect(() => read(given)).toThrow(SettingsError);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

test('numbers, switches and names are read', () => {
  const given = {
    PORT: '0',
    RATE_LIMITS: 'off',
    TRUST_PROXY: 'on',
    GRAVATAR: 'off',
    PROJECTOR: 'off',
    HEARTBEAT_SECONDS: '90',
  };
  expect(read({ ...given, REALM_NAME: 'Acme', LOG_LEVEL: 'warn', constructor: 'x' })).toMatchObject({
    host: '127.0.0.1',
    port: 0,
    rateLimits: false,
    trustProxy: true,
    gravatar: false,
    projector: false,
    heartbeatSeconds: 90,
    eventQueueIdleSeconds: undefined,
    organizationName: 'Acme',
    logLevel: 'warn',
  });
});

test('STREAM_PREFIX is for an event store on a server alone', () => {
  const EVENT_STORE_URL = 'esdb://127.0.0.1:2113';
  expect(read({ EVENT_STORE_URL }).streamPrefix).toBe('');
  expect(read({ EVENT_STORE_URL, STREAM_PREFIX: 'acme-2' }).streamPrefix).toBe('acme-2');
  expect(() => read({ STREAM_PREFIX: 'acme' })).toThrow(/^STREAM_PREFIX .+ EVENT_STORE_URL is a file/);
});

test('a hash of a password costs as much as it should', () => {
  expect(read({}).passwordCost).toEqual(new PasswordCost());
});

test('Zoom is where it always is, unless other addresses are given', () => {
  const app = { ZOOM_CLIENT_ID: 'id', ZOOM_CLIENT_SECRET: 'secret' };
  const known = { clientId: 'id', clientSecret: 'secret' };
  expect(read(app).zoom).toEqual({ ...known, oauthUrl: 'https://zoom.us', apiUrl: 'https://api.zoom.us' });
  const elsewhere = { ZOOM_OAUTH_URL: 'http://localhost:1/', ZOOM_API_URL: 'https://zoom.example/api/' };
  const addresses = { oauthUrl: 'http://localhost:1', apiUrl: 'https://zoom.example/api' };
  expect(read({ ...app, ...elsewhere }).zoom).toEqual({ ...known, ...addresses });
});

test('SITE_URL is kept without the slash at its end', () => {
  expect(read({ SITE_URL: 'https://chat.example.test/' }).siteUrl).toBe('https://chat.example.test');
});

test('the hour of snapshots, which are of files alone', () => {
  expect(read({}).snapshotHour).toBe(3);
  expect(read({ READ_MODEL_SNAPSHOT_HOUR: '0' }).snapshotHour).toBe(0);
  expect(read({ READ_MODEL_SNAPSHOT_HOUR: 'off' }).snapshotHour).toBeUndefined();
  const onServer = { READ_STORE_URL: 'mongodb://h:27017/chat', EVENT_STORE_URL: 'esdb://h:2113' };
  expect(() => read({ ...onServer, READ_MODEL_SNAPSHOT_HOUR: '4' })).toThrow(
    'READ_MODEL_SNAPSHOT_HOUR is for read models in a file',
  );
  expect(() => read(onServer)).not.toThrow();
});

test('the secret is created once, readable by its owner only', () => {
  const { secret, dataDir } = read({});
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(read({}).secret).toBe(secret);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
});

test('a folder in the place of the secret is named', () => {
  const path = join(folder, 'data', 'secret.key');
  mkdirSync(path, { recursive: true });
  expect(() => read({})).toThrow(
    new SettingsError(`DATA_DIR: ${path} cannot be used: there is a folder of this name.`),
  );
});

test('what is left of a secret is not used, and is not overwritten', () => {
  const path = join(read({}).dataDir, 'secret.key');
  writeFileSync(path, 'short');
  expect(() => read({})).toThrow(/too short/);
  expect(readFileSync(path, 'utf8')).toBe('short');
});

test.each([
  ['9993', { host: '127.0.0.1', port: 9993 }],
  ['0.0.0.0:9993', { host: '0.0.0.0', port: 9993 }],
  ['metrics.internal:0', { host: 'metrics.internal', port: 0 }],
  ['[::1]:9993', { host: '::1', port: 9993 }],
])('METRICS_ADDRESS=%s', (value, address) => {
  expect(read({ METRICS_ADDRESS: value }).metricsAddress).toEqual(address);
});

test('an address of metrics that cannot be used is told by the name of its setting', async () => {
  const taken = createServer();
  await new Promise<void>((listening) => taken.listen(0, '127.0.0.1', listening));
  const { port } = taken.address() as { port: number };
  const settings = read({ METRICS_ADDRESS: String(port) });
  await expect(openMetrics(settings, createLogger('silent'))).rejects.toThrow(
    /^Cannot listen on .* set METRICS_ADDRESS\.$/,
  );
  await new Promise((closed) => taken.close(closed));
});

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertCanListen } from './listening.js';
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
])('%s=%s is refused by its name', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(SettingsError);
  expect(() => read({ [name]: value })).toThrow(name);
});

test('SITE_URL is kept without the slash at its end', () => {
  expect(read({ SITE_URL: 'https://chat.example.test/' }).siteUrl).toBe('https://chat.example.test');
});

test('the secret is made once, and nobody else may read it', () => {
  const { secret, dataDir } = read({});
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(read({}).secret).toBe(secret);
  expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
});

test('what is left of a secret is not used, and is not overwritten', () => {
  const path = join(read({}).dataDir, 'secret.key');
  writeFileSync(path, 'short');
  expect(() => read({})).toThrow(/too short/);
  expect(readFileSync(path, 'utf8')).toBe('short');
});

test('an address that is taken is found before anything is opened', async () => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  await expect(assertCanListen('127.0.0.1', port)).rejects.toThrow(SettingsError);
  await new Promise((closed) => server.close(closed));
  await assertCanListen('127.0.0.1', port);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

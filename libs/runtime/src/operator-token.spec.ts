import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorToken, rotateOperatorToken } from './operator-token.js';
import { SettingsError } from './settings/settings-error.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'operator-token-'));
  path = join(folder, 'operator.token');
});
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

const content = (): string => readFileSync(path, 'utf8').trim();

test('a token is made once, for the owner of the file alone', async () => {
  const token = OperatorToken.of({ dataDir: folder, operatorTokenFile: undefined });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const made = content();
  expect(made).toMatch(/^[\w-]{43}$/);
  OperatorToken.of({ dataDir: folder, operatorTokenFile: undefined });
  expect(content()).toBe(made);
  expect(await token.matches(made)).toBe(true);
  for (const wrong of ['', made.slice(1), `${made}a`, made.toLowerCase()])
    expect([wrong, await token.matches(wrong)]).toEqual([wrong, false]);
});

test('a new token counts at once, and the former one no more', async () => {
  const token = OperatorToken.of({ dataDir: folder, operatorTokenFile: undefined });
  const former = content();
  rotateOperatorToken(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(content()).not.toBe(former);
  expect([await token.matches(former), await token.matches(content())]).toEqual([false, true]);
});

test('a file that is gone or emptied lets nobody in', async () => {
  const token = OperatorToken.of({ dataDir: folder, operatorTokenFile: undefined });
  writeFileSync(path, '');
  expect(await token.matches('')).toBe(false);
  rmSync(path);
  expect(await token.matches('')).toBe(false);
});

test('a token that could be guessed, or a place that cannot be used, is refused at the start', () => {
  writeFileSync(path, 'short\n');
  expect(() => OperatorToken.of({ dataDir: folder, operatorTokenFile: undefined })).toThrow(SettingsError);
  expect(() => OperatorToken.of({ dataDir: folder, operatorTokenFile: join(folder, 'none', 'token') })).toThrow(
    /^OPERATOR_TOKEN_FILE: .*none/,
  );
});

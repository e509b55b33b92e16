import fs, { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteKeyValueStore } from '#read-store';
import { readSettings, SettingsError } from './settings.js';
import { asUnusable, pathIn } from './unusable-file.js';

const failed = (code: string, cause?: unknown): Error => Object.assign(new Error(`${code}: x`, { cause }), { code });
const CANNOT_OPEN =
  'it cannot be opened. Check that it is a file, and that the user that runs the server may read and write it and its folder';
const DENIED = 'this is not allowed. Give the user that runs the server the right to read and write there';

test.each([
  ['EACCES', failed('EACCES'), DENIED],
  ['EPERM', failed('EPERM'), DENIED],
  ['a cause', new Error('The log cannot be opened.', { cause: failed('EACCES') }), DENIED],
  ['a detailed code of SQLite', failed('SQLITE_READONLY_DIRECTORY'), 'it is read-only'],
])('%s becomes one line that names the setting', (_what, error, reason) => {
  expect(asUnusable('READ_STORE_URL', '/data/x.db', error)).toEqual(
    new SettingsError(`READ_STORE_URL: /data/x.db cannot be used: ${reason}.`),
  );
});

test('a file that SQLite cannot open is named, though libsql gives no code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unusable-'));
  try {
    new SqliteKeyValueStore(folder);
    throw new Error('A folder was opened as a database.');
  } catch (error) {
    expect(pathIn(error)).toBe(folder);
    expect(asUnusable('READ_STORE_URL', folder, error)).toEqual(
      new SettingsError(`READ_STORE_URL: ${folder} cannot be used: ${CANNOT_OPEN}.`),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a fault of another kind stays what it is', () => {
  for (const error of [new TypeError('oops'), failed('EMFILE'), failed('EACCESSORY'), 'text'])
    expect(asUnusable('DATA_DIR', '/data', error)).toBe(error);
});

// Root may write everywhere, and tests often run as root, so the system's refusal is made here.
test.each(['mkdirSync', 'openSync'] as const)('a data directory whose %s the system refuses', (call) => {
  const folder = mkdtempSync(join(tmpdir(), 'unusable-'));
  const refusing = jest.spyOn(fs, call).mockImplementation(() => {
    throw failed('EACCES');
  });
  try {
    const dataDir = join(folder, 'data');
    expect(() => readSettings({ DATA_DIR: dataDir })).toThrow(
      new SettingsError(`DATA_DIR: ${dataDir} cannot be used: ${DENIED}.`),
    );
    expect(refusing).toHaveBeenCalled();
  } finally {
    refusing.mockRestore();
    rmSync(folder, { recursive: true });
  }
});

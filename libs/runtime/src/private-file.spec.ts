import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrivateFile, writePrivateFile } from './private-file.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'private-file-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('a file is written over another one, and created over none', () => {
  const path = join(folder, 'key');
  writePrivateFile(path, 'first');
  writePrivateFile(path, 'second');
  createPrivateFile(path, 'third');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777, readdirSync(folder)]).toEqual([
    'second',
    0o600,
    ['key'],
  ]);
});

test('nothing is left of what cannot be put in its place', () => {
  mkdirSync(join(folder, 'key', 'in use'), { recursive: true });
  expect(() => writePrivateFile(join(folder, 'key'), 'secret')).toThrow();
  createPrivateFile(join(folder, 'key'), 'secret');
  expect(readdirSync(folder)).toEqual(['key']);
});

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDurably, writeDurably } from './durable-file.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'durable-file-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('a folder is made with those above it, for its owner alone, also by several at once', async () => {
  const path = join(folder, 'a', 'b', 'c');
  await Promise.all([createDurably(path), createDurably(path), createDurably(join(folder, 'a', 'b', 'd'))]);
  await createDurably(path);
  for (const made of ['a', 'a/b', 'a/b/c', 'a/b/d']) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700);
});

test('a folder that cannot be made is named', async () => {
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
  for (const [name, words] of [
    ['file', 'file cannot be created: EEXIST'],
    ['file/below', 'below cannot be created: ENOTDIR: not a directory'],
    ['link', 'link cannot be created: ENOENT'],
    ['link/below', 'link cannot be created: ENOENT'],
  ] as const)
    await expect(createDurably(join(folder, name))).rejects.toThrow(new RegExp(`^/.*${words}`));
});

(existsSync('/proc/self') ? test : test.skip)('a file system without room for folders ends it', async () => {
  await expect(createDurably('/proc/scrollback/backup')).rejects.toThrow('/proc/scrollback cannot be created: ENOENT');
});

test('a file is there as a whole, and what could not be written leaves nothing', async () => {
  await writeDurably(join(folder, 'file'), Buffer.from('one'));
  await writeDurably(join(folder, 'file'), Buffer.from('two'));
  mkdirSync(join(folder, 'in-the-way'));
  await expect(writeDurably(join(folder, 'in-the-way'), Buffer.from('three'))).rejects.toThrow(/EISDIR/);
  expect(readdirSync(folder).sort()).toEqual(['file', 'in-the-way']);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('two');
});

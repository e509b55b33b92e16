import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolder } from './durable-file.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'durable-file-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('a folder is made with those above it, for its owner alone, also by several at once', async () => {
  const path = join(folder, 'a', 'b', 'c');
  await Promise.all([createFolder(path), createFolder(path), createFolder(join(folder, 'a', 'b', 'd'))]);
  await createFolder(path);
  for (const made of ['a', 'a/b', 'a/b/c', 'a/b/d']) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700);
});

test('a folder that cannot be made is named', async () => {
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
  for (const name of ['file', 'link', 'file/below', 'link/below'])
    await expect(createFolder(join(folder, name))).rejects.toThrow(/^\/.*(file|link) cannot be created: E/);
});

(existsSync('/proc/self') ? test : test.skip)('a file system without room for folders ends it', async () => {
  await expect(createFolder('/proc/scrollback/backup')).rejects.toThrow('/proc/scrollback cannot be created: ENOENT');
});

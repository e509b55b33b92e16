import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolder, createFolderSync } from './create-folder.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'create-folder-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const atOnce = async (path: string): Promise<string | undefined> => createFolderSync(path);

describe.each([
  ['createFolder', createFolder],
  ['createFolderSync', atOnce],
])('%s', (_name, create) => {
  test('makes a folder with those above it, for its owner alone, and says where it began', async () => {
    const path = join(folder, 'a', 'b', 'c');
    expect(await create(path)).toBe(join(folder, 'a'));
    expect(await create(path)).toBeUndefined();
    expect(await create(join(path, 'd'))).toBe(join(path, 'd'));
    for (const made of ['a', 'a/b', 'a/b/c']) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700);
    await Promise.all(['x', 'x', 'y'].map((name) => create(join(folder, 'several', 'at', 'once', name))));
  });

  test('says what is in the way', async () => {
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
    await expect(create(join(folder, 'file'))).rejects.toThrow('EEXIST');
    await expect(create(join(folder, 'file', 'below'))).rejects.toThrow('ENOTDIR');
    await expect(create(join(folder, 'link'))).rejects.toThrow(/ENOENT.+link'$/);
    await expect(create(join(folder, 'link', 'below'))).rejects.toThrow(/ENOENT.+link'$/);
  });

  (existsSync('/proc/self') ? test : test.skip)('ends where a file system takes no folders', async () => {
    await expect(create('/proc/scrollback/data')).rejects.toThrow(/ENOENT.+'\/proc\/scrollback'$/);
  });
});

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openBlobStore } from '#blob-store';
import { describeOnS3 } from '#testing';
import { type CopiedFiles, copyFiles } from './copy-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'copy-files-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const address = (name: string): string => `file:${join(folder, name)}`;
const storeAt = (url: string) => openBlobStore(url, { isOnlyUser: false, stagingFolder: join(folder, 'incoming') });
const copying = (from: string, to: string, signal = new AbortController().signal): Promise<CopiedFiles> =>
  copyFiles({ from, to, stagingFolder: join(folder, 'incoming'), signal, tell: () => undefined });

test('all kinds of content are copied, once', async () => {
  for (const space of ['files', 'avatars', 'emoji', 'branding', 'exports'])
    await storeAt(address('a')).space(space).put(Buffer.from(space));
  expect(await copying(address('a'), address('b'))).toEqual({ found: 0, copied: 5 });
  await storeAt(address('a')).space('files').put(Buffer.from('later'));
  expect(await copying(address('a'), address('b'))).toEqual({ found: 5, copied: 1 });
});

test('changed content is not copied', async () => {
  const { hash } = await storeAt(address('a')).space('files').put(Buffer.from('soup'));
  writeFileSync(join(folder, 'a', 'files', hash.slice(0, 2), hash), 'salt');
  await expect(copying(address('a'), address('b'))).rejects.toThrow(`The content ${hash} is not what was uploaded.`);
  expect(readdirSync(join(folder, 'b', '.incoming'))).toEqual([]);
});

test('a source that is not there is an error, and is not created', async () => {
  await expect(copying(address('mistyped'), address('b'))).rejects.toThrow(
    `There is no folder ${join(folder, 'mistyped')}.`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('addresses are checked', async () => {
  await expect(copying(address('a'), address('a'))).rejects.toThrow('one and the same');
  await storeAt(address('a')).space('files').put(Buffer.from('soup'));
  await expect(copying(address('a'), 's3://KEY:secret@host')).rejects.toThrow(/^The storage to copy to: .*bucket/);
});

describeOnS3('a bucket of S3', (server) => {
  test('is filled from a folder, and a folder from it', async () => {
    const { hash } = await storeAt(address('a')).space('files').put(Buffer.from('soup'));
    const url = server.freshUrl();
    expect(await copying(address('a'), url)).toEqual({ found: 0, copied: 1 });
    expect(await copying(url, address('b'))).toEqual({ found: 0, copied: 1 });
    const opened = await storeAt(address('b')).space('files').open(hash);
    expect(opened && (await text(opened.content))).toBe('soup');
  });
});

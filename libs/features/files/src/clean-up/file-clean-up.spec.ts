import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { type BlobStore, openBlobStore } from '#blob-store';
import { ManualClock, OpenGate, turnOf } from '#testing';
import type { FileRemover } from '../attachments/file-remover.js';
import type { FileDocument } from '../model/files.projection.js';
import { FileCleanUp, UNUSED_AFTER_MS } from './file-clean-up.js';

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;
const NOW_MS = Date.now();
const userId = 7;

let folder: string;
let blobs: BlobStore;
let removed: number[];
let gate: OpenGate;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrollback-clean-up-'));
  blobs = openBlobStore(`file:${folder}`, { isOnlyUser: true });
  removed = [];
  gate = new OpenGate();
});
afterEach(() => rm(folder, { recursive: true }));

const document = (fileId: number, ageMs: number): FileDocument => ({
  userId,
  token: `ab/${String(fileId).padStart(24, '0')}`,
  name: 'soup.txt',
  contentType: 'text/plain',
  hash: '',
  size: 1,
  blobs: [],
  atMs: NOW_MS - ageMs,
});

/** The content that is there. */
async function hashes(): Promise<string[]> {
  const found: string[] = [];
  for await (const { hash } of blobs.space('files').list()) found.push(hash);
  return found.sort();
}

/** What the log says, where it differs from the read models. */
interface Recorded {
  readonly references?: readonly number[];
  readonly hashes?: readonly string[];
}

/** A clean-up of files with these ages, of which some are referred to, and of what the user plans to send. */
function cleanUpOf(
  ages: readonly number[],
  referenced: readonly number[] = [],
  planned: readonly string[] = [],
  { references = [], hashes = [] }: Recorded = {},
) {
  const rows = ages.map((age, index) => ({ fileId: index + 1, doc: document(index + 1, age) }));
  const cleanUp = new FileCleanUp(
    {
      after: (id: number, limit: number) => Promise.resolve(rows.filter(({ fileId }) => fileId > id).slice(0, limit)),
      hasBlob: () => Promise.resolve(false),
    } as never,
    { unreferenced: (ids: number[]) => Promise.resolve(ids.filter((id) => !referenced.includes(id))) } as never,
    { among: () => Promise.resolve(new Set(references)) } as never,
    { namedAmong: () => Promise.resolve(new Set(hashes)) } as never,
    { of: () => Promise.resolve(planned) } as never,
    {
      remove({ fileId }: { fileId: number }) {
        removed.push(fileId);
        return Promise.resolve();
      },
      takeLeft: () => new Set<string>(),
    } as Partial<FileRemover> as never,
    blobs,
    { readStream: () => Promise.resolve([{}]), checkpointAfter: () => '' } as never,
    new ManualClock(NOW_MS),
  );
  return { round: () => turnOf(cleanUp, gate) };
}

test('files that nothing has referred to for five weeks are removed', async () => {
  const ages = [UNUSED_AFTER_MS + 1, UNUSED_AFTER_MS + 1, UNUSED_AFTER_MS - 1, 0];
  await cleanUpOf(ages, [2]).round();
  expect(removed).toEqual([1]);
});

test('a file that its uploader is about to send stays', async () => {
  const soup = `[soup](/user_uploads/1/${document(1, 0).token}/soup.txt)`;
  await cleanUpOf([6 * WEEK_MS, 6 * WEEK_MS], [], ['something', `look: ${soup}`]).round();
  expect(removed).toEqual([2]);
});

test('rounds go through all files, and begin again', async () => {
  const ages = Array.from({ length: 250 }, () => 6 * WEEK_MS);
  const cleanUp = cleanUpOf(ages);
  for (let round = 0; round < 3; round++) await cleanUp.round();
  expect(removed).toEqual(ages.map((_, index) => index + 1));
  await cleanUp.round();
  expect(removed.slice(250)).toEqual(removed.slice(0, 100));
});

test('content is looked at when it is older than any request, and temporary files go', async () => {
  const space = blobs.space('files');
  const [old, young] = [await space.put(Buffer.from('old')), await space.put(Buffer.from('young'))];
  const longAgo = new Date(NOW_MS - 2 * 60 * 60 * 1_000);
  await utimes(join(folder, 'files', old.hash.slice(0, 2), old.hash), longAgo, longAgo);
  const endedProcess = openBlobStore(`file:${folder}`, { isOnlyUser: true });
  await endedProcess.space('files').stage(Readable.from([Buffer.from('half')]));
  const staged = await space.stage(Readable.from([Buffer.from('an upload under way')]));
  const cleanUp = cleanUpOf([]);
  await cleanUp.round();
  expect(await hashes()).toEqual([old.hash, young.hash].sort());
  // Only a pass that was given after it was old counts.
  await cleanUp.round();
  expect(await hashes()).toEqual([young.hash]);
  expect(await readdir(join(folder, '.incoming'))).toEqual([basename(staged.path)]);
});

test('nothing is removed that the log names, and the read model is complained of', async () => {
  const { hash } = await blobs.space('files').put(Buffer.from('named'));
  const longAgo = new Date(NOW_MS - 2 * 60 * 60 * 1_000);
  await utimes(join(folder, 'files', hash.slice(0, 2), hash), longAgo, longAgo);
  const unowned = cleanUpOf([], [], [], { hashes: [hash] });
  await unowned.round();
  await expect(unowned.round()).rejects.toThrow('rebuild');
  expect(await hashes()).toEqual([hash]);
  await expect(cleanUpOf([6 * WEEK_MS, 6 * WEEK_MS], [], [], { references: [1] }).round()).rejects.toThrow('rebuild');
  expect(removed).toEqual([2]);
});

test('nothing is removed over a read side that is not whole', async () => {
  gate.isWhole = false;
  await expect(cleanUpOf([6 * WEEK_MS]).round()).rejects.toThrow('not whole');
  expect(removed).toEqual([]);
});

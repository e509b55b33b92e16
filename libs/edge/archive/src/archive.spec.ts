import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeArchive } from './archive.fixture.js';
import { ArchiveProblem } from './archive-problem.js';
import { ArchiveReader } from './archive-reader.js';
import { archiveOf } from './archive-writer.js';
import { ARCHIVE_LIMITS } from './limits.js';
import { ARCHIVE_FORMAT, MANIFEST, readManifest } from './manifest.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'));
  path = join(folder, 'a.zip');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => new Error('It was accepted.'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ArchiveProblem);
  return (error as ArchiveProblem).message;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Replaces text in the archive, wherever it is, by other text of the same length. */
function forge(from: string, to: string): void {
  expect(to).toHaveLength(from.length);
  writeFileSync(path, Buffer.from(readFileSync(path, 'latin1').replaceAll(from, to), 'latin1'));
}

test('what was written is read, whole and line by line', async () => {
  const text = Buffer.from('{"a":1}\n\n{"b":"日本"}\n{"c":3}');
  const entries = [
    { name: 'b/lines.jsonl', bytes: text.length, compress: true, open: () => Promise.resolve(Readable.from([text])) },
    { name: 'c.bin', bytes: 3, compress: false, open: () => Promise.resolve(Readable.from([Buffer.from('abc')])) },
  ];
  await pipeline(archiveOf(entries, new Date(0)), createWriteStream(path));
  const archive = await ArchiveReader.open(path);
  expect(archive.entries()).toMatchObject(entries.map(({ name, bytes }) => ({ name, bytes })));
  expect(await all(archive.lines('b/lines.jsonl'))).toEqual([
    { number: 1, value: { a: 1 } },
    { number: 3, value: { b: '日本' } },
    { number: 4, value: { c: 3 } },
  ]);
  expect((await archive.digest('c.bin')).bytes).toBe(3);
  archive.close();
});

test('a source that fails, fails the archive', async () => {
  const entry = { name: 'a', bytes: 1, compress: true };
  const failing = [
    () => Promise.reject(new Error('no disk')),
    () => Promise.resolve(new Readable({ read: (_size) => undefined }).destroy(new Error('no disk'))),
  ];
  for (const open of failing) {
    const writing = pipeline(archiveOf([{ ...entry, open }], new Date(0)), createWriteStream(path));
    await expect(writing).rejects.toThrow('no disk');
  }
});

describe('a hostile archive is refused by the name of its entry', () => {
  test.each([
    ['aa/evil', '../evil'],
    ['x/aa/evil', 'x/../evil'],
    ['aevil', '/evil'],
    ['aaevil', 'C:evil'],
    ['aaaevil', '..\\evil'],
  ])('a path that climbs: %s as %s', async (name, forged) => {
    await writeArchive(path, { [name]: 'x' });
    forge(name, forged);
    expect(await problemOf(ArchiveReader.open(path))).toMatch(/evil/);
  });

  test('two of a name', async () => {
    await writeArchive(path, { one: 'x', two: 'y' });
    forge('two', 'one');
    expect(await problemOf(ArchiveReader.open(path))).toBe('one: there are two of this name.');
  });

  test('a bomb, by its ratio and by its size', async () => {
    await writeArchive(path, { 'a.json': '{}', bomb: Buffer.alloc(11 * 1024 * 1024) });
    expect(await problemOf(ArchiveReader.open(path))).toMatch(/^bomb: it would become 11534336 bytes from/);
    const limits = { ...ARCHIVE_LIMITS, ratioMax: Infinity, bytesMax: 1_000_000 };
    expect(await problemOf(ArchiveReader.open(path, limits))).toMatch(/^bomb: with it, the archive holds more/);
  });

  test('an entry that holds more than it says', async () => {
    await writeArchive(path, { 'a.json': JSON.stringify('x'.repeat(5_000)) });
    const bytes = readFileSync(path);
    const directory = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    bytes.writeUInt32LE(10, directory + 24);
    writeFileSync(path, bytes);
    const archive = await ArchiveReader.open(path);
    expect(await problemOf(archive.json('a.json'))).toMatch(/^a\.json: /);
    archive.close();
  });

  test('very many entries', async () => {
    await writeArchive(path, Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}`, ''])));
    expect(await problemOf(ArchiveReader.open(path, { ...ARCHIVE_LIMITS, entriesMax: 49 }))).toMatch(/50 entries/);
  });

  test('no archive, a cut one, and a damaged entry', async () => {
    writeFileSync(path, 'this is no archive');
    expect(await problemOf(ArchiveReader.open(path))).toMatch(/^The archive cannot be read: /);
    await writeArchive(path, { 'a.json': JSON.stringify(Array.from({ length: 999 }, (_, index) => index)) });
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length / 2));
    expect(await problemOf(ArchiveReader.open(path))).toMatch(/^The archive cannot be read: /);
    whole.fill(7, 60, 90);
    writeFileSync(path, whole);
    const archive = await ArchiveReader.open(path);
    expect(await problemOf(archive.json('a.json'))).toMatch(/^a\.json: /);
    archive.close();
  });

  test('wrong JSON, by its line, and a line without an end', async () => {
    await writeArchive(path, { 'a.jsonl': '{}\n{"b":\n{}', 'b.json': '[', 'c.jsonl': 'x'.repeat(100_000) });
    const archive = await ArchiveReader.open(path, { ...ARCHIVE_LIMITS, lineBytesMax: 10_000 });
    expect(await problemOf(all(archive.lines('a.jsonl')))).toBe('a.jsonl: line 2 is not JSON.');
    expect(await problemOf(archive.json('b.json'))).toBe('b.json: is not JSON.');
    expect(await problemOf(archive.json('c.jsonl'))).toMatch(/^c\.jsonl: it is larger/);
    expect(await problemOf(all(archive.lines('c.jsonl')))).toMatch(/^c\.jsonl: line 1/);
    expect(await problemOf(archive.json('nothing'))).toBe('nothing: it is missing.');
    archive.close();
  });
});

describe('the table of contents', () => {
  const manifest = {
    format: ARCHIVE_FORMAT,
    kind: 'public',
    id: '00000000-0000-4000-8000-000000000000',
    organization: 'Acme',
    server_version: '1',
    exported_at: 1,
    counts: {},
    entries: [{ name: 'a.json', bytes: 2, sha256: '0'.repeat(64) }],
  };
  const judged = async (entries: Record<string, string | object>) => {
    await writeArchive(path, entries);
    const archive = await ArchiveReader.open(path);
    try {
      return await readManifest(archive);
    } finally {
      archive.close();
    }
  };

  test('names each entry, with its size', async () => {
    expect(await judged({ 'a.json': '{}', [MANIFEST]: manifest })).toEqual(manifest);
    expect(await problemOf(judged({ 'a.json': '{}' }))).toBe('manifest.json: it is missing.');
    expect(await problemOf(judged({ [MANIFEST]: manifest }))).toBe('a.json: it is missing.');
    expect(await problemOf(judged({ 'a.json': '{ }', [MANIFEST]: manifest }))).toBe(
      'a.json: it has 3 bytes instead of 2.',
    );
    expect(await problemOf(judged({ 'a.json': '{}', b: '', [MANIFEST]: manifest }))).toMatch(/^b: .* does not list it/);
  });

  test('is of this format', async () => {
    const other = { ...manifest, format: 'scrollback-archive-9' };
    expect(await problemOf(judged({ 'a.json': '{}', [MANIFEST]: other }))).toMatch(
      /its format is scrollback-archive-9/,
    );
    for (const wrong of [{ kind: 'all' }, { exported_at: 1e300 }, { exported_at: -1 }, { entries: {} }, { id: '../x' }])
      expect(await problemOf(judged({ 'a.json': '{}', [MANIFEST]: { ...manifest, ...wrong } }))).toMatch(
        /^manifest\.json: /,
      );
  });
});

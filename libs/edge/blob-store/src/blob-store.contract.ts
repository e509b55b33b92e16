import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { BlobInfo, BlobStore, ByteRange } from './blob-store.js';

export interface BlobStoreHarness {
  readonly store: BlobStore;
  /** The same content as a process sees it that is started later. */
  reopen(): BlobStore;
  /** Makes content look as if it had been stored an hour earlier. */
  age(space: string, hash: string): Promise<void>;
  /** How many temporary files there are. */
  temporaryFiles(): Promise<number>;
  destroy(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const HELLO = Buffer.from('hello, world');
const HELLO_HASH = createHash('sha256').update(HELLO).digest('hex');
const UNKNOWN_HASH = '0'.repeat(64);

async function* pieces(...texts: string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

async function* failing(): AsyncIterable<Uint8Array> {
  yield* pieces('half of');
  throw new Error('the client went away');
}

/** Contract of every `BlobStore`. */
export function blobStoreContract(name: string, open: () => Promise<BlobStoreHarness>): void {
  describe(`the blob store on ${name}`, () => {
    let harness: BlobStoreHarness;
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness.destroy());

    const files = () => harness.store.space('uploads');

    async function textOf(hash: string, range?: ByteRange): Promise<string | undefined> {
      const opened = await files().open(hash, range);
      return opened && Buffer.concat(await opened.content.toArray()).toString();
    }

    async function listed(): Promise<BlobInfo[]> {
      const found: BlobInfo[] = [];
      for await (const info of files().list()) found.push(info);
      return found;
    }

    test('keeps content by its hash, whatever the pieces', async () => {
      expect(await files().put(pieces('hello,', ' ', 'world'))).toEqual({ hash: HELLO_HASH, size: HELLO.length });
      expect(await textOf(HELLO_HASH)).toBe('hello, world');
    });

    test('keeps large content, in small chunks and in one', async () => {
      const chunks = Array.from({ length: 1_500 }, (_, index) => String(index).padStart(1_000, '.'));
      const whole = chunks.join('');
      const expected = { hash: createHash('sha256').update(whole).digest('hex'), size: whole.length };
      expect(await files().put(pieces(...chunks))).toEqual(expected);
      expect(await textOf(expected.hash)).toBe(whole);
      expect(await files().put(Buffer.from(whole))).toEqual(expected);
    });

    const LENGTHS = [1, 4_096, 4_097, 16_384, 16_385, 131_072, 131_073, 300_000];
    test.each(LENGTHS.flatMap((length) => [1_000, 100_000, length].map((chunk) => [length, chunk] as const)))(
      'keeps %d bytes that come %d at a time, with their beginning at hand',
      async (length, chunk) => {
        const content = randomBytes(length);
        const starts = Array.from({ length: Math.ceil(length / chunk) }, (_, index) => index * chunk);
        const staged = await files().stage(Readable.from(starts.map((at) => content.subarray(at, at + chunk))));
        expect(staged.head).toEqual(content.subarray(0, 4_096));
        expect(staged).toMatchObject({ size: length, hash: createHash('sha256').update(content).digest('hex') });
        expect((await readFile(staged.path)).equals(content)).toBe(true);
        await staged.discard();
        await staged.discard();
        expect(await harness.temporaryFiles()).toBe(0);
      },
    );

    test('one copy per content', async () => {
      await files().put(HELLO);
      await files().put(pieces('hello, world'));
      expect(await listed()).toMatchObject([{ hash: HELLO_HASH, size: HELLO.length }]);
    });

    test('the same content at the same time is stored once', async () => {
      const refs = await Promise.all(Array.from({ length: 8 }, () => files().put(HELLO)));
      expect(new Set(refs.map(({ hash }) => hash))).toEqual(new Set([HELLO_HASH]));
      expect(await listed()).toHaveLength(1);
      expect(await harness.temporaryFiles()).toBe(0);
    });

    test('empty content is content', async () => {
      const { hash, size } = await files().put(pieces());
      expect([size, await textOf(hash)]).toEqual([0, '']);
    });

    test('spaces are apart', async () => {
      await files().put(HELLO);
      expect(await harness.store.space('avatars').stat(HELLO_HASH)).toBeUndefined();
    });

    test.each(['../uploads', 'UPLOADS', '', 'a/b'])('%j names no space', (space) => {
      expect(() => harness.store.space(space)).toThrow(TypeError);
    });

    test.each<[ByteRange, string]>([
      [{ start: 0, end: 4 }, 'hello'],
      [{ start: 7, end: 11 }, 'world'],
      [{ start: 4, end: 4 }, 'o'],
    ])('range %j', async (range, text) => {
      await files().put(HELLO);
      expect(await textOf(HELLO_HASH, range)).toBe(text);
    });

    test.each([UNKNOWN_HASH, '../../etc/passwd', '', `${UNKNOWN_HASH}/..`])('%j is unknown content', async (hash) => {
      expect(await files().open(hash)).toBeUndefined();
      expect(await files().stat(hash)).toBeUndefined();
      expect(await files().remove(hash, Infinity)).toBe(false);
    });

    test('staged content is a local file and not kept', async () => {
      const staged = await files().stage(pieces('hello, world'));
      expect(staged).toMatchObject({ hash: HELLO_HASH, size: HELLO.length });
      expect(await readFile(staged.path, 'utf8')).toBe('hello, world');
      expect(await listed()).toEqual([]);
      await staged.discard();
      expect(await harness.temporaryFiles()).toBe(0);
    });

    test('staged content that is kept leaves no temporary file', async () => {
      const staged = await files().stage(pieces('hello, world'));
      await staged.keep();
      await staged.discard();
      expect(await textOf(HELLO_HASH)).toBe('hello, world');
      expect(await harness.temporaryFiles()).toBe(0);
    });

    test('staged content that is there already is kept once, and leaves no temporary file', async () => {
      await files().put(HELLO);
      const staged = await files().stage(pieces('hello, world'));
      await staged.keep();
      expect(await harness.temporaryFiles()).toBe(0);
      expect(await listed()).toHaveLength(1);
    });

    test('content that breaks off leaves nothing behind', async () => {
      await expect(files().put(failing())).rejects.toThrow('the client went away');
      expect(await listed()).toEqual([]);
      expect(await harness.temporaryFiles()).toBe(0);
    });

    test('the clean-up at the start removes what a killed process left behind', async () => {
      await files().stage(pieces('half of'));
      await files().put(HELLO);
      await harness.reopen().cleanUp();
      expect(await harness.temporaryFiles()).toBe(0);
      expect(await textOf(HELLO_HASH)).toBe('hello, world');
    });

    test('a clean-up leaves uploads of its own process alone', async () => {
      const staged = await files().stage(pieces('hello, world'));
      for (let round = 0; round < 2; round++) await harness.store.cleanUp();
      await staged.keep();
      expect(await textOf(HELLO_HASH)).toBe('hello, world');
    });

    test('only old content is removed', async () => {
      await files().put(HELLO);
      expect(await files().remove(HELLO_HASH, Date.now() - HOUR_MS / 2)).toBe(false);
      expect(await textOf(HELLO_HASH)).toBe('hello, world');
      await harness.age('uploads', HELLO_HASH);
      expect(await files().remove(HELLO_HASH, Date.now() - HOUR_MS / 2)).toBe(true);
      expect(await textOf(HELLO_HASH)).toBeUndefined();
    });

    test('storing content again makes it young', async () => {
      await files().put(HELLO);
      await harness.age('uploads', HELLO_HASH);
      await files().put(HELLO);
      expect(await files().remove(HELLO_HASH, Date.now() - HOUR_MS / 2)).toBe(false);
    });

    test('content that is stored while it is removed is there', async () => {
      for (let round = 0; round < 20; round++) {
        await files().put(HELLO);
        await harness.age('uploads', HELLO_HASH);
        await Promise.all([files().remove(HELLO_HASH, Date.now() - HOUR_MS / 2), files().put(HELLO)]);
        expect(await textOf(HELLO_HASH)).toBe('hello, world');
      }
    });
  });
}

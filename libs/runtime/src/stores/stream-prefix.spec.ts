import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReadStore, type ReadStores } from '#read-store';
import { assertSamePrefix, keepPrefix, ownerOf } from './stream-prefix.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scrollback-prefix-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function withReads(work: (reads: ReadStores) => Promise<void>): Promise<void> {
  const reads = await openReadStore(`sqlite:${join(folder, 'read-models.db')}`);
  try {
    await work(reads);
  } finally {
    await reads.close();
  }
}

test('read models remember the prefix of the log that they follow', async () => {
  await withReads(async (reads) => {
    await assertSamePrefix(reads, 'acme');
    await keepPrefix(reads, 'acme');
  });
  await withReads(async (reads) => {
    await assertSamePrefix(reads, 'acme');
    await expect(assertSamePrefix(reads, 'acne')).rejects.toThrow(
      'STREAM_PREFIX is acne, but the read models at READ_STORE_URL follow a log with STREAM_PREFIX=acme.',
    );
    await expect(assertSamePrefix(reads, '')).rejects.toThrow('STREAM_PREFIX is not set, but the read models');
  });
});

test('read models from before there were prefixes follow a log without one', async () => {
  await withReads(async (reads) => {
    if (reads.kind === 'shared') throw new Error('A read store in a file is not shared.');
    await reads.readStore.commit({
      writes: [],
      checkpoints: { messages: { checkpoint: 'somewhere', position: 1 } },
      position: 1,
    });
    await expect(assertSamePrefix(reads, 'acme')).rejects.toThrow('follow a log without STREAM_PREFIX.');
    await assertSamePrefix(reads, '');
  });
});

test('the owner follows from the secret, and tells nothing of it', () => {
  const owner = ownerOf('a secret that all processes share');
  expect(owner).toMatch(/^[\da-f]{32}$/);
  expect(ownerOf('a secret that all processes share')).toBe(owner);
  expect(ownerOf('another secret that processes share')).not.toBe(owner);
});

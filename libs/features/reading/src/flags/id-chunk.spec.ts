import fc from 'fast-check';
import { rounds } from '#testing';
import { chunkOf, CHUNK_SIZE, IdChunk } from './id-chunk.js';

const CHUNK = 3;
const id = fc.integer({ min: CHUNK * CHUNK_SIZE, max: (CHUNK + 1) * CHUNK_SIZE - 1 });
/** Runs of a few IDs and of many, added and removed. */
const change = fc.record({
  first: id,
  length: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: CHUNK_SIZE })),
  present: fc.boolean(),
});

describe('a chunk of IDs', () => {
  test('holds what a set would, through any number of encodings', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const expected = new Set<number>();
        let encoded: string | undefined;
        for (const { first, length, present } of changes) {
          const last = Math.min(first + length - 1, (CHUNK + 1) * CHUNK_SIZE - 1);
          const chunk = new IdChunk(CHUNK, encoded);
          chunk.set(first, last, present);
          for (let each = first; each <= last; each++) {
            if (present) expected.add(each);
            else expected.delete(each);
          }
          encoded = chunk.encode();
        }
        const chunk = new IdChunk(CHUNK, encoded);
        expect(chunk.ids()).toEqual([...expected].sort((a, b) => a - b));
        expect(encoded === undefined).toBe(expected.size === 0);
      }),
      { numRuns: rounds(60) },
    );
  });

  test('tells how far a run goes from any of its IDs', () => {
    fc.assert(
      fc.property(id, fc.integer({ min: 1, max: CHUNK_SIZE }), id, (first, length, from) => {
        const last = Math.min(first + length - 1, (CHUNK + 1) * CHUNK_SIZE - 1);
        const chunk = new IdChunk(CHUNK);
        chunk.set(first, last, true);
        expect(chunk.runFrom(from)).toBe(from >= first && from <= last ? last : from - 1);
      }),
    );
  });

  test('is found for each of its IDs, and for no other', () => {
    const chunk = new IdChunk(CHUNK);
    chunk.set(1, 100_000, true);
    expect(chunk.ids()).toHaveLength(CHUNK_SIZE);
    expect(chunk.has(CHUNK * CHUNK_SIZE)).toBe(true);
    expect(chunk.has(CHUNK * CHUNK_SIZE - 1)).toBe(false);
    expect(chunk.has((CHUNK + 1) * CHUNK_SIZE)).toBe(false);
    expect(chunk.ids().every((each) => chunkOf(each) === CHUNK)).toBe(true);
  });

  test('is a few bytes for a run, and never more than a bitmap', () => {
    const run = new IdChunk(0);
    run.set(1, CHUNK_SIZE, true);
    expect(run.encode()?.length).toBeLessThan(10);
    const scattered = new IdChunk(0);
    for (let each = 0; each < CHUNK_SIZE; each += 2) scattered.set(each, each, true);
    expect(scattered.encode()?.length).toBeLessThanOrEqual(1369);
    expect(new IdChunk(0, scattered.encode()).ids()).toHaveLength(CHUNK_SIZE / 2);
  });
});

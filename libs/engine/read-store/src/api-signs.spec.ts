import { MemoryKeyValueStore } from '#testing';
import { ApiSigns, readingOf } from './api-signs.js';

const OFTEN_MS = 5;
const READS = readingOf([{ name: 'messages' }, { name: 'topics' }]);
let side: MemoryKeyValueStore;

beforeEach(() => {
  side = new MemoryKeyValueStore();
});

const signs = (goneAfterMs: number): ApiSigns => new ApiSigns(side, goneAfterMs, OFTEN_MS);

/** @returns whether others are alive, while an api gives signs */
async function beside(reads: string | undefined): Promise<boolean> {
  let beat = 0;
  const giving = setInterval(() => void signs(0).give({ id: 'other', beat: ++beat, reads }), OFTEN_MS);
  try {
    await signs(0).give({ id: 'other', beat, reads });
    return await signs(60_000).areOthersAlive(READS);
  } finally {
    clearInterval(giving);
  }
}

test('whoever reads the same collections has the same identity, in any order', () => {
  expect(readingOf([{ name: 'topics' }, { name: 'messages' }])).toBe(READS);
  expect(readingOf([{ name: 'messages' }])).not.toBe(READS);
});

test('apis of the same collections are no others', async () => {
  expect(await beside(READS)).toBe(false);
});

test('one of other collections is another one, and so is one that does not say', async () => {
  expect(await beside(readingOf([{ name: 'messages' }]))).toBe(true);
  expect(await beside(undefined)).toBe(true);
});

test('one that was killed has left a sign, and is not alive', async () => {
  await signs(0).give({ id: 'killed', beat: 7, reads: undefined });
  expect(await signs(4 * OFTEN_MS).areOthersAlive(READS)).toBe(false);
  await signs(0).remove('killed');
  expect(await signs(0).all()).toEqual([]);
});

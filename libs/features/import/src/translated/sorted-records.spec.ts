import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { SortedRecords } from './sorted-records.js';

interface Item {
  readonly key: number;
  readonly text: string;
}

async function sorted(items: readonly Item[], runLength: number): Promise<Item[][]> {
  const records = await SortedRecords.create<Item>(({ key }) => key, runLength);
  try {
    for (const item of items) await records.add(item);
    const readings: Item[][] = [];
    for (let reading = 0; reading < 2; reading++) {
      const found: Item[] = [];
      for await (const page of records.inOrder()) found.push(...page);
      readings.push(found);
    }
    return readings;
  } finally {
    await records.remove();
  }
}

test('records come in order, those of the same number as they were added, however many runs there are', async () => {
  const item = fc.record({ key: fc.nat(20), text: fc.string({ unit: 'grapheme', maxLength: 10 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 60 }),
      fc.integer({ min: 1, max: 2_000 }),
      async (items, runLength) => {
        const expected = items.toSorted((a, b) => a.key - b.key);
        expect(await sorted(items, runLength)).toEqual([expected, expected]);
      },
    ),
    { numRuns: 30 },
  );
});

test('a record may be longer than what is read at once', async () => {
  const items = [2, 1, 3].map((key) => ({ key, text: String(key).repeat(5_000_000) }));
  const [found] = await sorted(items, 1);
  expect(found?.map(({ key, text }) => [key, text.length])).toEqual([1, 2, 3].map((key) => [key, 5_000_000]));
});

test('nothing is left behind', async () => {
  const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('scrollback-import-'));
  const before = folders();
  await sorted([{ key: 1, text: 'x' }], 1);
  expect(folders().filter((name) => !before.includes(name))).toEqual([]);
});

import fc from 'fast-check';
import { Slices } from '#kernel';
import { CachedRuns } from './cached-runs.js';

interface Item {
  readonly id: number;
  readonly name: string;
}

const textOf = ({ id, name }: Item): string => JSON.stringify({ id, name });
const bytesOf = (runs: CachedRuns<Item>, items: readonly Item[]): Uint8Array[] => {
  runs.set(items);
  return runs.bytes();
};

test('the runs are the list, however its items change, come and go', () => {
  const state = fc.uniqueArray(fc.nat(600), { maxLength: 300 });
  fc.assert(
    fc.property(fc.array(state, { maxLength: 5 }), (states) => {
      const known = new Map<number, Item>();
      const runs = new CachedRuns<Item>(({ id }) => id, textOf);
      for (const [round, ids] of states.entries()) {
        const items = ids
          .sort((a, b) => a - b)
          .map((id) => {
            const item = id % 7 === round ? undefined : known.get(id);
            if (item === undefined) known.set(id, { id, name: `${id} in round ${round} é` });
            return known.get(id) as Item;
          });
        const bytes = bytesOf(runs, items).map((run) => Buffer.from(run));
        expect(JSON.parse(`[${bytes.map((run) => run.toString()).join(',')}]`)).toEqual(items);
      }
    }),
  );
});

test('only the run of a changed item is built again', () => {
  let built = 0;
  const runs = new CachedRuns<Item>(
    ({ id }) => id,
    (item) => {
      built++;
      return textOf(item);
    },
  );
  const items = Array.from({ length: 10_000 }, (_, id): Item => ({ id, name: 'x' }));
  runs.set(items);
  expect(built).toBe(10_000);
  runs.set(items);
  expect(built).toBe(10_000);
  items[5_000] = { id: 5_000, name: 'y' };
  runs.set(items);
  expect(built).toBeLessThan(10_300);
  // One that leaves does not move the others to other runs.
  runs.set(items.filter(({ id }) => id !== 10));
  expect(built).toBeLessThan(10_600);
});

test('runs that were built in slices are not built again, except those of items that were replaced meanwhile', async () => {
  let built = 0;
  const runs = new CachedRuns<Item>(
    ({ id }) => id,
    (item) => {
      built++;
      return textOf(item);
    },
  );
  const items = Array.from({ length: 1_000 }, (_, id): Item => ({ id, name: 'x' }));
  const warming = runs.warm(items, new Slices());
  items[0] = { id: 0, name: 'y' };
  await warming;
  expect(built).toBe(1_000);
  const bytes = bytesOf(runs, items);
  expect(JSON.parse(`[${bytes.map(String).join(',')}]`)).toEqual(items);
  expect(built).toBeLessThan(1_130);
});

test('a list that is replaced while runs are built in slices stays the newer one', async () => {
  const runs = new CachedRuns<Item>(({ id }) => id, textOf);
  const older = Array.from({ length: 1_000 }, (_, id): Item => ({ id, name: 'older' }));
  const newer = older.map(({ id }): Item => ({ id, name: 'newer' }));
  let turns = 0;
  const slices = {
    isOver: true,
    next: () => {
      if (++turns === 2) runs.set(newer);
      return Promise.resolve();
    },
  };
  await runs.warm(older, slices as unknown as Slices);
  expect(turns).toBeGreaterThan(2);
  expect(JSON.parse(`[${runs.bytes().map(String).join(',')}]`)).toEqual(newer);
});

test('nothing is kept of what has left the list', () => {
  let built = 0;
  const runs = new CachedRuns<Item>(
    ({ id }) => id,
    (item) => {
      built++;
      return textOf(item);
    },
  );
  const items = [{ id: 1, name: 'x' }];
  runs.set(items);
  expect(bytesOf(runs, [])).toEqual([]);
  runs.set(items);
  expect(built).toBe(2);
});

test('what one list alone says of an item is not kept', () => {
  const runs = new CachedRuns<Item>(({ id }) => id, textOf);
  const items = Array.from({ length: 300 }, (_, id): Item => ({ id, name: 'x' }));
  runs.set(items);
  const names = (own?: { item: Item; text: string }): string[] =>
    JSON.parse(`[${runs.bytes(own).map(String).join(',')}]`).map(({ name }: Item) => name);
  const item = items[200]!;
  expect(names({ item, text: textOf({ id: 200, name: 'own' }) }).filter((name) => name === 'own')).toHaveLength(1);
  expect(new Set(names())).toEqual(new Set(['x']));
});

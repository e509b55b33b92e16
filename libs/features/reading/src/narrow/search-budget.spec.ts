import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { MessagePage, MessageRow, MessagesReader } from '#messages';
import { where, type Filter } from '#read-store';
import { rounds } from '#testing';
import { BoundedSearch } from './bounded-search.js';
import { collect, type Direction } from './message-window.js';
import { SearchBudget } from './search-budget.js';

/** Work that takes this much processor time. */
async function busy(ms: number): Promise<string> {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    if (user + system >= ms * 1_000) return 'done';
  }
}

describe('a budget', () => {
  test('is spent by work, and what comes then is refused with a reason', async () => {
    const budget = new SearchBudget(10);
    expect(budget.isSpent).toBe(false);
    budget.assertLeft();
    await expect(budget.spend(() => busy(11))).resolves.toBe('done');
    expect(budget.isSpent).toBe(true);
    const refusal = { code: 'BAD_NARROW', data: { desc: expect.stringContaining('takes too long') } };
    expect(() => {
      budget.assertLeft();
    }).toThrow(expect.objectContaining(refusal));
  });

  test('is spent by waiting for a read store, more slowly', async () => {
    const budget = new SearchBudget(10);
    await budget.spend(() => pause(50));
    expect(budget.isSpent).toBe(true);
    const larger = new SearchBudget(10_000);
    await larger.spend(() => pause(50));
    expect(larger.isSpent).toBe(false);
  });

  test('is spent by work that fails as well', async () => {
    const budget = new SearchBudget(10);
    const failing = (): Promise<void> => busy(11).then(() => Promise.reject(new Error('no')));
    await expect(budget.spend(failing)).rejects.toThrow('no');
    expect(budget.isSpent).toBe(true);
  });

  test('is not spent by the share of the work that is in the answer, but by the clock', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const budget = new SearchBudget(20);
    await budget.spend(
      () => busy(30),
      () => 0.5,
    );
    expect(budget.isSpent).toBe(false);
    clock.mockRestore();
    await budget.spend(
      () => pause(100),
      () => 1,
    );
    expect(budget.isSpent).toBe(true);
  });

  test('lets others go on between pieces of work', async () => {
    const budget = new SearchBudget();
    let others = 0;
    const timer = setInterval(() => others++, 0);
    for (let piece = 0; piece < 5; piece++) await budget.spend(() => busy(11));
    clearInterval(timer);
    expect(others).toBeGreaterThanOrEqual(4);
  });
});

type Bounds = Partial<Record<'gt' | 'gte' | 'lt' | 'lte', number>>;

/** Reader that finds these IDs and records the span of each read. */
function readerOf(ids: readonly number[], spans: number[]): MessagesReader {
  const page = (filter: Filter, direction: Direction, limit: number): Promise<MessagePage> => {
    const { gt = 0, gte = gt + 1, lt = 0, lte = lt - 1 } = (filter as unknown as { terms: Bounds[] }).terms.at(-1)!;
    const [from, to] = [gte, lte];
    spans.push(to - from + 1);
    const found = ids.filter((id) => id >= from && id <= to);
    const sorted = direction === 'ascending' ? found : found.reverse();
    const rows = sorted.slice(0, limit).map((id) => ({ id, doc: {} as never }));
    return Promise.resolve({ rows, isLast: sorted.length <= limit, reached: rows.at(-1)?.id });
  };
  return { page, newestId: () => Promise.resolve(ids.at(-1) ?? 0) } as unknown as MessagesReader;
}

const taken = (rows: readonly MessageRow[], missing: number) => Promise.resolve({ chosen: rows.slice(0, missing) });

test('what was found within the budget is not said to be all', async () => {
  const search = new BoundedSearch(readerOf([1, 2, 3, 4, 5, 6], []), where.and(), 3);
  const slow = async (rows: readonly MessageRow[], missing: number) => {
    await busy(15);
    return taken(rows, missing);
  };
  const found = await collect(search, 7, 'descending', 10, slow, new SearchBudget(10));
  expect(found.chosen.map(({ id }) => id)).toEqual([6, 5, 4]);
  expect(found.isAll).toBe(false);
});

test('looks go into the answer as far as they add to it', async () => {
  const ids = Array.from({ length: 500 }, (_, index) => index + 1);
  const sharesOf = async (take: typeof taken): Promise<readonly number[]> => {
    const shares: number[] = [];
    const budget = new SearchBudget();
    budget.spend = async (work, answeredBy) => {
      const result = await work();
      shares.push(answeredBy?.(result) ?? 0);
      return result;
    };
    await collect(new BoundedSearch(readerOf(ids, []), where.and()), 0, 'ascending', 500, take, budget);
    return shares;
  };
  expect(await sharesOf(taken)).toEqual([1, 1]);
  expect(await sharesOf(async (rows) => ({ chosen: rows.slice(0, 5) }))).toEqual([0.02, 0.02]);
});

describe('a search in spans of IDs', () => {
  test('finds what one over all of them would', async () => {
    const idsOf = fc.uniqueArray(fc.integer({ min: 1, max: 3_000 }), { maxLength: 60 });
    const asked = { ids: idsOf, span: fc.integer({ min: 1, max: 100 }), bound: fc.integer({ min: 0, max: 3_100 }) };
    await fc.assert(
      fc.asyncProperty(fc.record(asked), fc.integer({ min: 1, max: 80 }), async ({ ids, span, bound }, wanted) => {
        const sorted = [...ids].sort((a, b) => a - b);
        const search = new BoundedSearch(readerOf(sorted, []), where.and(), span);
        const found = async (direction: Direction): Promise<number[]> =>
          (await collect(search, bound, direction, wanted, taken, new SearchBudget())).chosen.map(({ id }) => id);
        expect(await found('ascending')).toEqual(sorted.filter((id) => id > bound).slice(0, wanted));
        const before = sorted.filter((id) => id < bound).reverse();
        expect(await found('descending')).toEqual(before.slice(0, wanted));
      }),
      { numRuns: rounds(60) },
    );
  });

  test('goes over more IDs at a time where that takes no time', async () => {
    const spans: number[] = [];
    const reader = readerOf([1, 1_000_000], spans);
    const search = new BoundedSearch(reader, where.and(), 1_000);
    const found = await collect(search, 1_000_001, 'descending', 10, taken, new SearchBudget());
    expect(found.isAll).toBe(true);
    expect(found.chosen.map(({ id }) => id)).toEqual([1_000_000, 1]);
    expect(spans[0]).toBe(1_000);
    expect(spans.length).toBeLessThan(500);
  });

  test('goes over no more IDs for having found enough soon', async () => {
    const spans: number[] = [];
    // As many as a look finds at once, again and again, and then nothing for a long way.
    const dense = Array.from({ length: 10_000 }, (_, index) => 2_000_000 + index);
    const search = new BoundedSearch(readerOf([1, ...dense], spans), where.and());
    const limits: number[] = [];
    const noted = (rows: readonly MessageRow[], missing: number) => {
      limits.push(rows.length);
      return taken(rows, missing);
    };
    await collect(search, 2_020_000, 'descending', 5_000, noted, new SearchBudget());
    expect(Math.max(...spans)).toBeLessThanOrEqual(4 * 4_096);
    expect(Math.max(...limits)).toBeLessThanOrEqual(250);
  });
});

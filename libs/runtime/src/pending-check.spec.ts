import type { PendingItem } from '#feature';
import { pendingChecks } from './pending-check.js';

const item = (more: Partial<PendingItem>): PendingItem => ({
  id: 'a',
  what: 'w',
  since: 1_700_000_000,
  attempts: 0,
  reason: null,
  nextAt: null,
  ...more,
});

function checksOf(lists: Readonly<Record<string, readonly PendingItem[] | Error>>) {
  return pendingChecks({
    kinds: Object.keys(lists),
    source: (kind) =>
      ({
        list: (limit: number) => {
          const listed = lists[kind] ?? [];
          return listed instanceof Error ? Promise.reject(listed) : Promise.resolve(listed.slice(0, limit));
        },
      }) as never,
  });
}

test('what waits for its first attempt is well', async () => {
  const text = 'Nothing has failed and waits.';
  expect(await checksOf({ mail: [item({})], webhook: [] })).toEqual([{ name: 'pending work', state: 'ok', text }]);
});

test('each kind that fails has a line: how many, since when, and why the oldest failed', async () => {
  const refused = item({ since: 1_700_000_100, attempts: 3, reason: 'It refuses.' });
  const away = item({ attempts: 1, reason: 'It is away.' });
  const all = await checksOf({
    mail: [refused, item({ since: 1 }), away],
    push: [],
    webhook: Array.from({ length: 300 }, () => refused),
    export: [item({ attempts: 1 })],
    scheduled: new Error('mongodb://user:password@host'),
  });
  expect(all.every(({ state }) => state === 'warning')).toBe(true);
  expect(all.map(({ text }) => text)).toEqual([
    'mail: 2 failed and wait, the oldest since 2023-11-14T22:13:20Z: It is away.',
    'webhook: at least 100 failed and wait, the oldest since 2023-11-14T22:15:00Z: It refuses.',
    'export: 1 failed and wait, the oldest since 2023-11-14T22:13:20Z: the reason is not known',
    'scheduled: it cannot be listed at the moment.',
  ]);
});

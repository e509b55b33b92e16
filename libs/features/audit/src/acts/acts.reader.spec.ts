import type { Collection, Find } from '#read-store';
import type { Moment } from '../moment.js';
import { keyOf, type PlaceRow } from '../places/place-row.js';
import { ActsReader } from './acts.reader.js';

const DAY = 86_400;
const TIMES = Array.from({ length: 2_000 }, (_, day) => day * DAY);

/** Acts of one user, one a day; `found` counts the rows that were read. */
function actsAt(seconds: readonly number[]): { readonly acts: ActsReader; readonly found: () => number } {
  const rows = seconds.map((at, revision) => {
    const position = 10 * (revision + 1);
    return { key: keyOf('7', position), doc: { position, stream: '1.organization', revision, at } };
  });
  let found = 0;
  const find = ({ where, limit }: Find) => {
    const { gt, lt } = where as unknown as { gt: string; lt: string };
    const page = rows.filter(({ key }) => key > gt && key < lt).slice(0, limit);
    found += page.length;
    return Promise.resolve(page);
  };
  return { acts: new ActsReader({ find } as unknown as Collection<PlaceRow>), found: () => found };
}

async function daysOf(acts: ActsReader, after: Moment | undefined, ...upTo: readonly Moment[]): Promise<number[]> {
  const days: number[] = [];
  for await (const { at } of acts.of(7, { after, upTo })) days.push(at / DAY);
  return days;
}

test.each<[string, Moment, Moment]>([
  ['a time', { kind: 'time', seconds: 3 * DAY }, { kind: 'time', seconds: 5 * DAY }],
  ['a position', { kind: 'position', position: 41 }, { kind: 'position', position: 61 }],
])('acts behind the end of a period are not read, when that is %s', async (_, after, end) => {
  const { acts, found } = actsAt(TIMES);
  const days = await daysOf(acts, after, { kind: 'now' }, end);
  expect(days).toEqual(expect.arrayContaining([4, 5]));
  expect(Math.max(...days)).toBeLessThanOrEqual(6);
  // A page, and what looking for the beginning takes.
  expect(found()).toBeLessThan(400);
});

test('an act after the clock was set back is read', async () => {
  const { acts } = actsAt([10 * DAY, 12 * DAY, 11.5 * DAY, 13 * DAY]);
  expect(await daysOf(acts, undefined, { kind: 'time', seconds: 11.5 * DAY })).toContain(11.5);
});

test('acts after one that a wrong clock stamped far ahead are read', async () => {
  const { acts } = actsAt([1, 2, 400, 401, 3, 4, 5].map((day) => day * DAY));
  expect(await daysOf(acts, undefined, { kind: 'time', seconds: 4 * DAY })).toEqual([1, 2, 3, 4, 5]);
});

test.each([0, 1, 2, 3, 4, 5, 6, 7])(
  'a period begins with its first act, also when number %i is far behind',
  async (wrong) => {
    const { acts } = actsAt([10, 11, 12, 13, 14, 15, 16, 17].map((day, index) => (index === wrong ? 1 : day) * DAY));
    const days = await daysOf(acts, { kind: 'time', seconds: 9 * DAY });
    expect(days).toEqual([10, 11, 12, 13, 14, 15, 16, 17].map((day, index) => (index === wrong ? 1 : day)));
  },
);

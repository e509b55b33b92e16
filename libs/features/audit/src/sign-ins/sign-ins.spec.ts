import type { EventStore, StreamPage } from '#event-store';
import type { Directory } from '#people';
import type { Collection, Find } from '#read-store';
import { AnswerLog } from '../log/answer-log.js';
import type { Moment } from '../moment.js';
import { keyOf, type PlaceRow } from '../places/place-row.js';
import { signInsOf } from './sign-ins.projection.js';
import { SignIns, SignInsReader } from './sign-ins.js';

const DAY = 86_400;
const directory = { user: () => undefined } as unknown as Directory;

/** An event with one failed attempt for each second; `readsOf` are the revisions that each call read. */
function signInsAt(seconds: readonly number[]): { readonly signIns: SignIns; readonly readsOf: number[][] } {
  const rows = seconds.map((at, revision) => {
    const position = 10 * (revision + 1);
    const doc = { position, stream: '1.uses', revision, at };
    return { key: keyOf(signInsOf(undefined, true), position), doc };
  });
  const find = ({ where, limit }: Find) => {
    const { gt, lt } = where as unknown as { gt: string; lt: string };
    return Promise.resolve(rows.filter(({ key }) => key > gt && key < lt).slice(0, limit));
  };
  const eventOf = (revision: number) => {
    const [{ doc }, o] = [rows[revision]!, ''];
    const data = { uses: [{ kind: 'sign-in-failed', o, at: doc.at }], at: doc.at };
    return { ...doc, type: 'uses.noted.v1', data, metadata: {}, recordedAtMs: 0 };
  };
  const readsOf: number[][] = [];
  const readPages = (pages: readonly StreamPage[]) => {
    readsOf.push(pages.map(({ from }) => from));
    return Promise.resolve(pages.map(({ from }) => [eventOf(from)]));
  };
  const log = new AnswerLog({ readPages } as unknown as EventStore);
  const reader = new SignInsReader({ find } as unknown as Collection<PlaceRow>);
  return { signIns: new SignIns(directory, log, reader), readsOf };
}

async function told(signIns: SignIns, after: Moment | undefined, ...upTo: readonly Moment[]): Promise<unknown[]> {
  const seconds: unknown[] = [];
  for await (const { at } of signIns.rows(undefined, true, { after, upTo })) seconds.push(at);
  return seconds;
}
const time = (seconds: number): Moment => ({ kind: 'time', seconds });
const position = (at: number): Moment => ({ kind: 'position', position: at });
const NOW: Moment = { kind: 'now' };
/** One in each day. */
const DAYS = Array.from({ length: 200 }, (_, day) => day * DAY);

test('sign-ins are read several at a time', async () => {
  const { signIns, readsOf } = signInsAt(DAYS);
  expect(await told(signIns, undefined, NOW)).toEqual(DAYS);
  expect(readsOf.map(({ length }) => length)).toEqual([16, 128, 56]);
});

test.each([
  ['seconds', time(100 * DAY), time(103 * DAY)],
  ['positions', position(1_010), position(1_040)],
])('of a period between %s, no more is read than it may have', async (_, after, end) => {
  const { signIns, readsOf } = signInsAt(DAYS);
  expect(await told(signIns, after, NOW, end)).toEqual([101, 102, 103].map((day) => day * DAY));
  const read = readsOf.flat();
  expect(Math.min(...read)).toBeGreaterThanOrEqual(98);
  expect(Math.max(...read)).toBeLessThanOrEqual(104);
});

test('a sign-in after the clock was set back is found', async () => {
  const { signIns } = signInsAt([10 * DAY, 12 * DAY, 12 * DAY - 3_600, 11.5 * DAY, 13 * DAY]);
  expect(await told(signIns, time(10 * DAY), time(11.5 * DAY))).toEqual([11.5 * DAY]);
  expect(await told(signIns, time(12 * DAY - 3_601), NOW)).toEqual([12 * DAY, 12 * DAY - 3_600, 13 * DAY]);
});

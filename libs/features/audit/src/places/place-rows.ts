import { Slices } from '#kernel';
import { type Collection, where } from '#read-store';
import { isUpTo, type Moment, type Period } from '../moment.js';
import { keyOf, type PlaceRow } from './place-row.js';

/** Rows of one read, about a kilobyte each at most. */
const PAGE = 250;
/** Comes right after the `@` of keys. */
const AFTER_MARK = 'A';
/** Bounds the halving: no log has more events. */
const POSITION_MAX = 2 ** 50;
/** Rows further away from a period are not looked at, so a clock may be set back by as much. */
const CLOCK_MARGIN_SECONDS = 24 * 3600;
/** So many rows one after the other tell where the others of their time are: a process whose clock is wrong writes among others. */
const AGREEING_ROWS = 100;
/** As above, for each step of the halving, which reads them all. */
const AGREEING_ROWS_OF_STEP = 4;

/** Rows of a subject in the order of the log, read page by page and in slices. @param after a position */
export function rowsOf(
  places: Collection<PlaceRow>,
  subject: string,
  after = 0,
  limit?: number,
): AsyncGenerator<PlaceRow, void, void> {
  return rowsBetween(places, keyOf(subject, after, '~'), `${subject}${AFTER_MARK}`, limit);
}

/** Rows whose keys come after one and before another. */
export async function* rowsBetween(
  places: Collection<PlaceRow>,
  first: string,
  end: string,
  limit = PAGE,
): AsyncGenerator<PlaceRow, void, void> {
  const slices = new Slices();
  for (let from = first; ;) {
    const page = await places.find({ where: where.range('$key', { gt: from, lt: end }), limit });
    for (const { doc } of page) yield doc;
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    from = String(last.key);
    if (slices.isOver) await slices.next();
  }
}

/** The first rows of a subject at a position or after it. */
async function firstFrom(
  places: Collection<PlaceRow>,
  subject: string,
  position: number,
): Promise<readonly PlaceRow[]> {
  const range = where.range('$key', { gt: keyOf(subject, position - 1, '~'), lt: `${subject}${AFTER_MARK}` });
  return (await places.find({ where: range, limit: AGREEING_ROWS_OF_STEP })).map(({ doc }) => doc);
}

/** A position before the rows of a subject that tell of something later than a moment, found by halving; 0 without one. */
async function positionBefore(
  places: Collection<PlaceRow>,
  subject: string,
  moment: Moment | undefined,
): Promise<number> {
  if (moment === undefined || moment.kind === 'now') return 0;
  if (moment.kind === 'position') return moment.position;
  let [known, beyond, before] = [0, POSITION_MAX, 0];
  while (beyond - known > 1) {
    const middle = Math.floor((known + beyond) / 2);
    const rows = await firstFrom(places, subject, middle);
    const [first, last] = [rows[0], rows[AGREEING_ROWS_OF_STEP - 1]];
    const areBefore = rows.every(({ at }) => at < moment.seconds - CLOCK_MARGIN_SECONDS);
    if (first !== undefined && last !== undefined && areBefore) [known, before] = [first.position, last.position];
    else beyond = middle;
  }
  return before;
}

/** Rows of a subject in the order of the log, page by page: all of a period, and some beside it. */
export async function* rowsOfPeriod(
  places: Collection<PlaceRow>,
  subject: string,
  { after, upTo }: Period,
): AsyncGenerator<PlaceRow, void, void> {
  let beyond = 0;
  for await (const row of rowsOf(places, subject, await positionBefore(places, subject, after))) {
    const passed = upTo.filter((end) => isBeyond(end, row));
    beyond = passed.length === 0 ? 0 : beyond + 1;
    if (beyond >= AGREEING_ROWS || passed.some(({ kind }) => kind === 'position')) return;
    if (beyond === 0) yield row;
  }
}

/**
 * Whether a row tells of nothing up to this moment, and those behind it neither, unless its clock was wrong. Sign-ins and other uses
 * are noted later than they are, and a clock may be set back.
 */
function isBeyond(moment: Moment, { at, position }: PlaceRow): boolean {
  const margin = moment.kind === 'time' ? CLOCK_MARGIN_SECONDS : 0;
  return !isUpTo(moment, { at: at - margin, position });
}

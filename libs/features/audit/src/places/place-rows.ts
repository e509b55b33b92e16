import { Slices } from '#kernel';
import { type Collection, where } from '#read-store';
import { keyOf, type PlaceRow } from './place-row.js';

/** Rows of one read, about a kilobyte each at most. */
const PAGE = 250;
/** Comes right after the `@` of keys. */
const AFTER_MARK = 'A';

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

/** The first row of a subject at a position or after it. */
export async function firstFrom(
  places: Collection<PlaceRow>,
  subject: string,
  position: number,
): Promise<PlaceRow | undefined> {
  const range = where.range('$key', { gt: keyOf(subject, position - 1, '~'), lt: `${subject}${AFTER_MARK}` });
  return (await places.find({ where: range, limit: 1 }))[0]?.doc;
}

import { isDeepStrictEqual } from 'node:util';
import { type Collection, type Key, where } from '../read-store.js';

/** Documents compared at a time: a few milliseconds of work even when each has the maximum size. */
const PAGE = 50;

/** Where two collections differ first, in the order of their keys; what they differ in is not said. */
export interface Difference {
  readonly key: Key;
  /** `missing`: only the live collection has the document; `left-over`: only the other one has. */
  readonly is: 'different' | 'missing' | 'left-over';
}

/** Some documents of two collections. */
export interface ComparedPage {
  readonly documents: number;
  readonly difference?: Difference;
  /** Key after which to go on; undefined at the end, and at a difference. */
  readonly reached?: Key;
}

/** Compares the documents after a key, as many as may be read at a time. Neither collection may change meanwhile. */
export async function comparePage(
  live: Collection<object>,
  fresh: Collection<object>,
  after: Key | undefined,
): Promise<ComparedPage> {
  const later = after === undefined ? {} : { where: where.range('$key', { gt: after }) };
  const [ours, theirs] = await Promise.all([
    live.find({ ...later, limit: PAGE }),
    fresh.find({ ...later, limit: PAGE }),
  ]);
  for (let index = 0; index < Math.max(ours.length, theirs.length); index++) {
    const [one, other] = [ours[index], theirs[index]];
    if (one !== undefined && one.key === other?.key) {
      if (isDeepStrictEqual(one.doc, other.doc)) continue;
      return { documents: index, difference: { key: one.key, is: 'different' } };
    }
    // The collections sort by themselves: which of the two keys comes first is what the other collection does not have.
    if (one !== undefined && (await fresh.get(one.key)) === undefined)
      return { documents: index, difference: { key: one.key, is: 'missing' } };
    const key = (other ?? one)?.key;
    if (key !== undefined) return { documents: index, difference: { key, is: 'left-over' } };
  }
  const last = ours.at(-1)?.key;
  return { documents: ours.length, ...(ours.length === PAGE && last !== undefined && { reached: last }) };
}

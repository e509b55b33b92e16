import { CLOCKS_APART_SECONDS } from '#audit';
import { Slices } from '#kernel';
import { type Collection, where } from '#read-store';
import type { ChangeRow } from './recent-changes.projection.js';

/** Rows of one read, about a kilobyte each at most. */
const PAGE = 500;
/** Bounds the halving: no log has more events. */
const POSITION_MAX = 2 ** 50;

export interface Change extends ChangeRow {
  readonly position: number;
}

/** Finds changes of messages by their time. */
export class ChangesReader {
  constructor(private readonly changes: Collection<ChangeRow>) {}

  /** Rows later than a time, in the order of the log, read page by page and in slices. */
  async *after(time: number): AsyncGenerator<Change, void, void> {
    const slices = new Slices();
    for (let after = await this.#positionAt(time - CLOCKS_APART_SECONDS); ;) {
      const range = where.range('$key', { gt: after });
      const page = await this.changes.find({ where: range, sort: ASCENDING, limit: PAGE });
      for (const { key, doc } of page) if (doc.at > time) yield { ...doc, position: key as number };
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.key as number;
      if (slices.isOver) await slices.next();
    }
  }

  /** Position of a change up to the time, which is followed by a later one, by halving. */
  async #positionAt(time: number): Promise<number> {
    let [known, beyond] = [-1, POSITION_MAX];
    while (beyond - known > 1) {
      const middle = Math.floor((known + beyond) / 2);
      const range = where.range('$key', { gte: middle, lt: beyond });
      const [row] = await this.changes.find({ where: range, sort: ASCENDING, limit: 1 });
      if (row === undefined || row.doc.at > time) beyond = middle;
      else known = row.key as number;
    }
    return known;
  }
}

const ASCENDING = [{ field: '$key', direction: 'ascending' }] as const;

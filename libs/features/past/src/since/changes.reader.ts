import { CLOCKS_APART_SECONDS } from '#audit';
import { Slices } from '#kernel';
import { type Collection, type FieldsRow, where } from '#read-store';
import type { ChangeRow } from './recent-changes.projection.js';

/** Rows of one read, of four numbers each: some milliseconds. */
const PAGE = 1_000;
/** Documents of one read, about a kilobyte each at most. */
const DOCUMENTS_PAGE = 250;
/** Bounds the halving: no log has more events. */
const POSITION_MAX = 2 ** 50;

/** A change, as far as it is told without its document. */
export interface Change extends Pick<ChangeRow, 'kind' | 'messageId'> {
  readonly position: number;
  /** Undefined for the server. */
  readonly by: number | undefined;
}

/** Finds changes of messages by their time. */
export class ChangesReader {
  constructor(private readonly changes: Collection<ChangeRow>) {}

  /** Changes later than a time in the order of the log, page by page, at most a thousand each. Reads no documents. */
  async *after(time: number): AsyncGenerator<readonly Change[], void, void> {
    const slices = new Slices();
    for (let after = await this.#positionAt(time - CLOCKS_APART_SECONDS); ;) {
      const page = await this.#read({ gt: after }, PAGE);
      yield page.filter((row) => atOf(row) > time).map(changeOf);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.key as number;
      if (slices.isOver) await slices.next();
    }
  }

  /** Whole changes by position. */
  async getMany(positions: readonly number[]): Promise<Map<number, ChangeRow>> {
    const found = new Map<number, ChangeRow>();
    const slices = new Slices();
    for (let from = 0; from < positions.length; from += DOCUMENTS_PAGE) {
      const page = await this.changes.getMany(positions.slice(from, from + DOCUMENTS_PAGE));
      for (const [key, doc] of page) found.set(key as number, doc);
      if (slices.isOver) await slices.next();
    }
    return found;
  }

  /** Position of a change up to the time, which is followed by a later one, by halving. */
  async #positionAt(time: number): Promise<number> {
    let [known, beyond] = [-1, POSITION_MAX];
    while (beyond - known > 1) {
      const middle = Math.floor((known + beyond) / 2);
      const [row] = await this.#read({ gte: middle, lt: beyond }, 1);
      if (row === undefined || atOf(row) > time) beyond = middle;
      else known = row.key as number;
    }
    return known;
  }

  #read(bounds: { gt?: number; gte?: number; lt?: number }, limit: number): Promise<readonly FieldsRow[]> {
    return this.changes.findFields({ where: where.range('$key', bounds), sort: ASCENDING, limit }, FIELDS);
  }
}

const FIELDS = ['at', 'kind', 'by', 'messageId'] as const;
const ASCENDING = [{ field: '$key', direction: 'ascending' }] as const;

const atOf = ({ fields }: FieldsRow): number => fields['at'] ?? 0;

function changeOf({ key, fields }: FieldsRow): Change {
  const { kind, by, messageId } = fields;
  return { position: key as number, kind: kind ?? 0, by: by ?? undefined, messageId: messageId ?? 0 };
}

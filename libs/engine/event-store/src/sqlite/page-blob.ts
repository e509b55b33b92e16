import type { ReadRow } from './record.js';

const numbers = ['position', 'stream_id', 'revision', 'type_id', 'recorded_at_ms', 'checksum'];
const bytes = ['event_id', 'data', 'metadata'];

/**
 * A row of `events` as one text: its numbers and the lengths of its bytes, each before a comma, and then those bytes. Empty for null.
 * The casts are those of `READ_COLUMNS`.
 */
const RECORD = [
  ...numbers.map((column) => `ifnull(CAST(${column} AS INTEGER), '') || ','`),
  ...bytes.map((column) => `ifnull(length(CAST(${column} AS BLOB)), '') || ','`),
  ...bytes.map((column) => `ifnull(CAST(${column} AS BLOB), '')`),
].join(' || ');

/**
 * Aggregates a range of positions to one value: the driver takes four times as long for nine values a row. Nothing promises their
 * order, so readers check it.
 */
export const PAGE_BLOB = `SELECT CAST(group_concat(${RECORD}, '') AS BLOB) AS page FROM events WHERE position > ? AND position <= ?`;

/** The rows of a value of `PAGE_BLOB`, as a query on `READ_COLUMNS` returns them. */
export function rowsIn(page: Buffer): ReadRow[] {
  const rows: ReadRow[] = [];
  const cursor = new PageCursor(page);
  while (!cursor.isAtEnd) {
    const [position, streamId, revision, typeId, recordedAtMs, checksum] = [
      cursor.number(),
      cursor.number(),
      cursor.number(),
      cursor.number(),
      cursor.number(),
      cursor.number(),
    ];
    const [ofId, ofData, ofMetadata] = [cursor.number(), cursor.number(), cursor.number()];
    const [eventId, data, metadata] = [cursor.bytes(ofId), cursor.bytes(ofData), cursor.bytes(ofMetadata)];
    const row = [position, streamId, revision, eventId, typeId, data, metadata, recordedAtMs, checksum];
    rows.push(row as ReadRow);
  }
  return rows;
}

const [COMMA, MINUS, ZERO] = [...Buffer.from(',-0')] as [number, number, number];

class PageCursor {
  #at = 0;

  constructor(private readonly page: Buffer) {}

  get isAtEnd(): boolean {
    return this.#at >= this.page.length;
  }

  /** The number before the next comma. */
  number(): number | null {
    const { page } = this;
    let at = this.#at;
    const isNegative = page[at] === MINUS;
    if (isNegative) at += 1;
    const first = at;
    let value = 0;
    for (let byte = page[at]; byte !== COMMA; byte = page[at]) {
      if (byte === undefined) throw new Error('A page of the log ends within a number.');
      value = value * 10 + byte - ZERO;
      at += 1;
    }
    this.#at = at + 1;
    if (at === first) return null;
    return isNegative ? -value : value;
  }

  bytes(length: number | null): Buffer | null {
    if (length === null) return null;
    const from = this.#at;
    this.#at = from + length;
    return this.page.subarray(from, this.#at);
  }
}

import { firstAtLeast, weightOf } from '#kernel';
import type { FeedPage, FeedRecord } from './feed-history.js';

/** Ten minutes of a busy organization; queues that lag more read the stored feed. */
const RECORDS_MAX = 20_000;
/** Counted as roughly one byte per character. */
export const TAIL_WEIGHT_MAX = 16 * 1024 * 1024;
/** Maximum records examined between two turns of the event loop. */
const PAGE_RECORDS_MAX = 2_000;

/**
 * The newest part of the feed in memory, so that live delivery and slightly late polls never read the database.
 * Complete from `from` (exclusive) to `head` (inclusive).
 */
export class FeedTail {
  #records: FeedRecord[] = [];
  /** Index of the first valid record; earlier ones are removed in chunks. */
  #first = 0;
  #weight = 0;
  #from = 0;
  #head = 0;

  /** Position up to which the log is committed and published. */
  get head(): number {
    return this.#head;
  }

  get from(): number {
    return this.#from;
  }

  /** Starts at this position; earlier records are only in the database. */
  startAt(position: number): void {
    this.#records = [];
    this.#first = 0;
    this.#weight = 0;
    this.#from = position;
    this.#head = position;
  }

  /** Appends committed records, in order. */
  publish(records: readonly FeedRecord[], head: number): void {
    for (const record of records) {
      this.#records.push(record);
      this.#weight += weightOfRecord(record);
    }
    this.#head = Math.max(this.#head, head);
    this.#trim();
  }

  /** Prepends older records: all between `from` and the start of the tail. */
  prepend(records: readonly FeedRecord[], from: number): void {
    this.#records = [...records, ...this.#records.slice(this.#first)];
    this.#first = 0;
    for (const record of records) this.#weight += weightOfRecord(record);
    this.#from = from;
    this.#trim();
  }

  /** A page after this position; undefined when it begins before the tail. */
  after(position: number): FeedPage | undefined {
    if (position < this.#from) return undefined;
    const start = this.#indexAfter(position);
    const records = this.#records.slice(start, start + PAGE_RECORDS_MAX);
    const isLast = start + records.length === this.#records.length;
    return { records, upTo: Math.max(position, (isLast ? undefined : records.at(-1)?.position) ?? this.#head) };
  }

  #indexAfter(position: number): number {
    return firstAtLeast(this.#records, position + 1, (record) => record.position, this.#first);
  }

  #trim(): void {
    while (this.#records.length - this.#first > RECORDS_MAX || this.#weight > TAIL_WEIGHT_MAX) {
      const oldest = this.#records[this.#first];
      if (oldest === undefined) break;
      this.#weight -= weightOfRecord(oldest);
      this.#from = oldest.position;
      this.#first++;
    }
    if (this.#first > RECORDS_MAX / 4) {
      this.#records = this.#records.slice(this.#first);
      this.#first = 0;
    }
  }
}

const RECORD_WEIGHT = 200;

/** Approximate memory of a record in bytes. */
export function weightOfRecord({ entries }: FeedRecord): number {
  let weight = RECORD_WEIGHT;
  for (const entry of entries) weight += weightOf(entry);
  return weight;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Collection, CollectionSchema } from '#read-store';
import { where } from '#read-store';
import type { FeedEntry } from './feed-entry.js';

/** The client events of one event; the key is the event's position. Events without client events have no document. */
export interface FeedDocument {
  /** Time at which the event was recorded, in milliseconds since the epoch. */
  readonly at: number;
  readonly entries: readonly FeedEntry[];
}

export const feedCollection: CollectionSchema = { name: 'feed', key: 'integer', fields: {}, indexes: [] };

/** The client events of one event, with its position in the log. */
export interface FeedRecord {
  readonly position: number;
  /** Time at which the event was recorded, in milliseconds since the epoch. */
  readonly at: number;
  readonly entries: readonly FeedEntry[];
}

/** A page of the feed: everything after the start of the read, up to `upTo`. */
export interface FeedPage {
  readonly records: readonly FeedRecord[];
  readonly upTo: number;
}

/** A few milliseconds of work even when each record concerns an edit of a message of the largest size. */
const PAGE_RECORDS_MAX = 64;

/** The stored feed, for queues that lag behind the tail in memory. */
export class FeedHistory {
  constructor(private readonly documents: Collection<FeedDocument>) {}

  /** A page of the records with `after < position <= until`. */
  async page(after: number, until: number): Promise<FeedPage> {
    const found = await this.documents.find({
      where: where.range('$key', { gt: after, lte: until }),
      limit: PAGE_RECORDS_MAX,
    });
    const records = found.map(({ key, doc }) => ({ position: key as number, at: doc.at, entries: doc.entries }));
    return { records, upTo: found.length < PAGE_RECORDS_MAX ? until : (records.at(-1)?.position ?? until) };
  }

  /**
   * The newest records up to a position, oldest first: limited by number, and by `fits`, which is asked newest first.
   */
  async newest(
    until: number,
    limit: number,
    fits: (record: FeedRecord) => boolean,
  ): Promise<{ readonly records: readonly FeedRecord[]; readonly isAll: boolean }> {
    const records: FeedRecord[] = [];
    for (let upTo = until; ;) {
      const found = await this.documents.find({
        where: where.range('$key', { lte: upTo }),
        sort: [{ field: '$key', direction: 'descending' }],
        limit: PAGE_RECORDS_MAX,
      });
      for (const { key, doc } of found) {
        const record = { position: key as number, at: doc.at, entries: doc.entries };
        if (records.length === limit || !fits(record)) return { records: records.reverse(), isAll: false };
        records.push(record);
      }
      const last = found.at(-1);
      if (last === undefined || found.length < PAGE_RECORDS_MAX) return { records: records.reverse(), isAll: true };
      upTo = (last.key as number) - 1;
      await nextTurn();
    }
  }

  /**
   * Finds a position below which all records after `from` are older than this time, by binary search: times grow with
   * positions closely enough.
   */
  async firstSince(atMs: number, from: number, until: number): Promise<number> {
    let older = from;
    let younger = until;
    while (younger - older > 1) {
      const middle = older + Math.floor((younger - older) / 2);
      const [next] = await this.documents.find({ where: where.range('$key', { gt: middle, lte: younger }), limit: 1 });
      if (next === undefined || next.doc.at >= atMs) younger = middle;
      else older = next.key as number;
    }
    return older + 1;
  }
}

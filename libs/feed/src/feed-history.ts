import type { Collection, CollectionSchema } from '#read-store';
import { where } from '#read-store';
import type { FeedEntry } from './feed-entry.js';

/** What a fact said to clients; its key is the fact's position. Facts that say nothing have no document. */
export interface FeedDocument {
  /** When the fact was recorded, in milliseconds since the epoch. */
  readonly at: number;
  readonly entries: readonly FeedEntry[];
}

export const feedCollection: CollectionSchema = { name: 'feed', key: 'integer', fields: {}, indexes: [] };

/** What one fact said, with its place in the log. */
export interface FeedRecord {
  readonly position: number;
  readonly entries: readonly FeedEntry[];
}

/** A run of the feed: everything after where it was asked from and up to `upTo`. */
export interface FeedPage {
  readonly records: readonly FeedRecord[];
  readonly upTo: number;
}

const PAGE_RECORDS_MAX = 500;

/** The feed as it is stored: for queues that lag behind what the tail holds in memory. */
export class FeedHistory {
  constructor(private readonly documents: Collection<FeedDocument>) {}

  /** A page of the records with `after < position <= until`. */
  async page(after: number, until: number): Promise<FeedPage> {
    const found = await this.documents.find({
      where: where.range('$key', { gt: after, lte: until }),
      limit: PAGE_RECORDS_MAX,
    });
    const records = found.map(({ key, doc }) => ({ position: key as number, entries: doc.entries }));
    return { records, upTo: found.length < PAGE_RECORDS_MAX ? until : (records.at(-1)?.position ?? until) };
  }

  /** The newest records up to a position, oldest first. */
  async newest(until: number, limit: number): Promise<readonly FeedRecord[]> {
    const found = await this.documents.find({
      where: where.range('$key', { lte: until }),
      sort: [{ field: '$key', direction: 'descending' }],
      limit,
    });
    return found.map(({ key, doc }) => ({ position: key as number, entries: doc.entries })).reverse();
  }

  /**
   * A position below which all records above `from` are older than this time, and above which none is. Times grow with
   * positions closely enough to halve the way each time.
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

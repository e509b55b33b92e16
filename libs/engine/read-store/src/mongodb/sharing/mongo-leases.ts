import type { JsonObject } from '#kernel';
import { Leases } from '../../sharing.js';
import type { Lease, LeaseSign } from '../../sharing.js';
import { DUPLICATE_KEY, hasCode } from '../server/mongo-failure.js';
import type { MongoServer } from '../server/mongo-server.js';

/** One holding of a lease. The process that inserts the next term holds it: no server accepts the same term twice. */
interface TermDocument {
  readonly _id: string;
  readonly lease: string;
  readonly term: number;
  readonly holder: string;
  /** Number of renewals. */
  readonly beat: number;
  /** Released, or ended by a process that waited for it. */
  readonly over?: true;
  /** JSON. */
  readonly note?: string;
}

interface Watched {
  readonly id: string;
  readonly beat: number;
  readonly sinceMs: number;
  /** End of the last look at it. */
  readonly lookedMs: number;
}

/**
 * Looks further apart than this share of the TTL restart the measurement: a store that was unavailable to this process
 * may have kept the holder from renewing as well.
 */
const GAP_SHARE_MAX = 0.5;

const LEASES = 'leases';
/** What its holder said is over with the term. */
const ENDED = { $set: { over: true }, $unset: { note: '' } } as const;
/** Earlier terms that are kept, for holders that still ask about theirs. */
const TERMS_KEPT = 10;

export class MongoLeases extends Leases {
  /** Holders that this process waits for, by lease: the last renewal seen, and since when. */
  readonly #watched = new Map<string, Watched>();

  private constructor(private readonly server: MongoServer) {
    super();
  }

  static async open(server: MongoServer): Promise<MongoLeases> {
    return server.run(async () => {
      await server.create(LEASES);
      await server.collection<TermDocument>(LEASES).createIndexes([{ key: { lease: 1, term: 1 }, name: 'lease' }]);
      return new MongoLeases(server);
    });
  }

  override async acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined> {
    return this.server.run(async () => {
      const askedMs = performance.now();
      const latest = await this.#latest(name);
      if (latest !== undefined && !(await this.#isOver(latest, ttlMs, askedMs))) return undefined;
      this.#watched.delete(name);
      return this.#take({ name, holder, term: (latest?.term ?? 0) + 1 });
    });
  }

  override async renew({ name, holder, term }: Lease, note?: JsonObject): Promise<boolean> {
    return this.server.run(async () => {
      const found = await this.#terms().updateOne(
        { _id: idOf(name, term), holder, over: { $exists: false } },
        { $inc: { beat: 1 }, ...(note !== undefined && { $set: { note: JSON.stringify(note) } }) },
      );
      if (found !== 1 || this.server.capabilities.updatesAtomically) return found === 1;
      // The end of the term may have been overwritten. The next one is not.
      return (await this.#latest(name))?.term === term;
    });
  }

  override async release({ name, holder, term }: Lease): Promise<void> {
    await this.server.run(() => this.#terms().updateOne({ _id: idOf(name, term), holder }, ENDED));
  }

  override async sign(name: string): Promise<LeaseSign | undefined> {
    return this.server.run(async () => {
      const latest = await this.#latest(name, { term: 1, beat: 1, note: 1 });
      if (latest === undefined) return undefined;
      const { term, beat, note } = latest;
      return { term, beat, note: note === undefined ? undefined : (JSON.parse(note) as JsonObject) };
    });
  }

  /** Ends a term whose holder has not renewed it for too long, unless it renews at this moment. */
  async #isOver({ _id, lease, beat, over }: TermDocument, ttlMs: number, askedMs: number): Promise<boolean> {
    if (over) return true;
    const nowMs = performance.now();
    const watched = this.#watched.get(lease);
    const isSame = watched?.id === _id && watched.beat === beat;
    const isInRow = nowMs - askedMs < ttlMs && askedMs - (watched?.lookedMs ?? 0) < ttlMs * GAP_SHARE_MAX;
    const sinceMs = isSame && isInRow ? watched.sinceMs : nowMs;
    this.#watched.set(lease, { id: _id, beat, sinceMs, lookedMs: nowMs });
    if (nowMs - sinceMs < ttlMs) return false;
    return (await this.#terms().updateOne({ _id, beat }, ENDED)) === 1;
  }

  async #take(lease: Lease): Promise<Lease | undefined> {
    const { name, holder, term } = lease;
    try {
      await this.#terms().insertOne({ _id: idOf(name, term), lease: name, term, holder, beat: 0 });
    } catch (error) {
      if (hasCode(error, DUPLICATE_KEY)) return undefined;
      throw error;
    }
    // This process was so slow that the term has been forgotten: it is an old one.
    if ((await this.#latest(name))?.term !== term) return undefined;
    await this.#terms().deleteMany({ lease: name, term: { $lt: term - TERMS_KEPT } });
    return lease;
  }

  async #latest(
    lease: string,
    projection: Readonly<Record<string, number>> = { note: 0 },
  ): Promise<TermDocument | undefined> {
    const [latest] = await this.#terms().findAll({ lease }, { sort: { term: -1 }, limit: 1, projection });
    return latest;
  }

  #terms(): ReturnType<typeof this.server.collection<TermDocument>> {
    return this.server.quickCollection<TermDocument>(LEASES);
  }
}

function idOf(name: string, term: number): string {
  return `${name}@${term}`;
}

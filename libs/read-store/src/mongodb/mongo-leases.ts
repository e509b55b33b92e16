import { Leases } from '../sharing.js';
import type { Lease } from '../sharing.js';
import { DUPLICATE_KEY, hasCode } from './mongo-failure.js';
import { OPERATION_MS } from './mongo-server.js';
import type { MongoServer } from './mongo-server.js';

/** One taking of a lease. Whoever inserts the next term has it: nobody can insert it twice, on any server. */
interface TermDocument {
  readonly _id: string;
  readonly lease: string;
  readonly term: number;
  readonly holder: string;
  /** Counts the renewals. */
  readonly beat: number;
  /** It was let go, or given up by whoever waited for it. */
  readonly over?: true;
}

interface Watched {
  readonly id: string;
  readonly beat: number;
  readonly sinceMs: number;
}

const LEASES = 'leases';
/** Terms before the current one that are kept, for those who still ask about theirs. */
const TERMS_KEPT = 10;

export class MongoLeases extends Leases {
  /** The holders that this process waits for, by lease: their last sign of life, and since when there was no other. */
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
      const latest = await this.#latest(name);
      if (latest !== undefined && !(await this.#isOver(latest, ttlMs))) return undefined;
      this.#watched.delete(name);
      return this.#take({ name, holder, term: (latest?.term ?? 0) + 1 });
    });
  }

  override async renew({ name, holder, term }: Lease): Promise<boolean> {
    return this.server.run(async () => {
      const { matchedCount } = await this.#terms().updateOne(
        { _id: idOf(name, term), holder, over: { $exists: false } },
        { $inc: { beat: 1 } },
      );
      // On a server whose updates are not atomic, the end of the term may have been overwritten. The next one is not.
      return matchedCount === 1 && (await this.#latest(name))?.term === term;
    });
  }

  override async release({ name, holder, term }: Lease): Promise<void> {
    await this.server.run(() => this.#terms().updateOne({ _id: idOf(name, term), holder }, { $set: { over: true } }));
  }

  /** Ends a term whose holder gave no sign for too long, unless he gives one at this very moment. */
  async #isOver({ _id, lease, beat, over }: TermDocument, ttlMs: number): Promise<boolean> {
    if (over) return true;
    const nowMs = performance.now();
    const watched = this.#watched.get(lease);
    if (watched?.id !== _id || watched.beat !== beat) {
      this.#watched.set(lease, { id: _id, beat, sinceMs: nowMs });
      return false;
    }
    if (nowMs - watched.sinceMs < ttlMs) return false;
    const { matchedCount } = await this.#terms().updateOne({ _id, beat }, { $set: { over: true } });
    return matchedCount === 1;
  }

  async #take(lease: Lease): Promise<Lease | undefined> {
    const { name, holder, term } = lease;
    try {
      await this.#terms().insertOne({ _id: idOf(name, term), lease: name, term, holder, beat: 0 });
    } catch (error) {
      if (hasCode(error, DUPLICATE_KEY)) return undefined;
      throw error;
    }
    // Slower than others by so much that this very term has been forgotten: it is an old one.
    if ((await this.#latest(name))?.term !== term) return undefined;
    await this.#terms().deleteMany({ lease: name, term: { $lt: term - TERMS_KEPT } });
    return lease;
  }

  async #latest(lease: string): Promise<TermDocument | undefined> {
    const [latest] = await this.#terms()
      .find({ lease }, { maxTimeMS: OPERATION_MS })
      .sort({ term: -1 })
      .limit(1)
      .toArray();
    return latest;
  }

  #terms(): ReturnType<typeof this.server.collection<TermDocument>> {
    return this.server.collection<TermDocument>(LEASES);
  }
}

function idOf(name: string, term: number): string {
  return `${name}@${term}`;
}

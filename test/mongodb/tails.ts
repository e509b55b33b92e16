import type { BSON } from 'mongodb';
import type { Request } from './wire.js';

/** As many as a collection keeps. */
const KEPT_MAX = 1_000;

type Documents = readonly BSON.Document[];
type Answer = (body: BSON.Document) => void;

interface Cursor {
  readonly collection: string;
  /** Number of documents that it has passed. */
  passed: number;
  waiting: { readonly answer: (documents: Documents) => void; readonly timer: NodeJS.Timeout } | undefined;
}

/**
 * Lets a server without tailing do what MongoDB does: a tailable cursor waits for the next document. Proxies before the same server
 * share it, and see all inserts since the collection was created.
 */
export class Tails {
  readonly #cursors = new Map<string, Cursor>();
  readonly #documents = new Map<string, { inserted: number; kept: BSON.Document[] }>();
  #opened = 0;

  /** Whether a command may be about such a cursor. */
  static concern({ command, body }: Request): boolean {
    return ['getMore', 'killCursors'].includes(command) || (command === 'find' && body['tailable'] === true);
  }

  /** What is inserted can be heard. */
  inserted(collection: string, documents: Documents): void {
    const all = this.#of(collection);
    all.inserted += documents.length;
    all.kept = [...all.kept, ...documents].slice(-KEPT_MAX);
    for (const [id, cursor] of this.#cursors) {
      if (cursor.collection === collection && cursor.waiting !== undefined) this.#answer(id, cursor);
    }
  }

  /** @returns false for a command that is not about such a cursor */
  take({ command, collection = '', body }: Request, answer: Answer): boolean {
    if (command === 'find') {
      const id = String(++this.#opened);
      const cursor: Cursor = { collection, passed: 0, waiting: undefined };
      this.#cursors.set(id, cursor);
      answer(asAnswer(id, body, 'firstBatch', this.#next(cursor)));
      return true;
    }
    if (command === 'killCursors') return this.#end(body, answer);
    const id = String(body['getMore']);
    const cursor = command === 'getMore' ? this.#cursors.get(id) : undefined;
    if (cursor === undefined) return false;
    const timer = setTimeout(() => this.#answer(id, cursor), Number(body['maxTimeMS'] ?? 1_000)).unref();
    cursor.waiting = { answer: (documents) => answer(asAnswer(id, body, 'nextBatch', documents)), timer };
    if (cursor.passed < this.#of(collection).inserted) this.#answer(id, cursor);
    return true;
  }

  #end(body: BSON.Document, answer: Answer): boolean {
    const ids = (body['cursors'] as readonly unknown[]).map(String);
    if (!ids.every((id) => this.#cursors.has(id))) return false;
    for (const id of ids) {
      clearTimeout(this.#cursors.get(id)?.waiting?.timer);
      this.#cursors.delete(id);
    }
    answer({ cursorsKilled: body['cursors'], cursorsNotFound: [], cursorsAlive: [], cursorsUnknown: [], ok: 1 });
    return true;
  }

  #answer(id: string, cursor: Cursor): void {
    const { waiting } = cursor;
    cursor.waiting = undefined;
    clearTimeout(waiting?.timer);
    if (this.#cursors.has(id)) waiting?.answer(this.#next(cursor));
  }

  #next(cursor: Cursor): Documents {
    const { inserted, kept } = this.#of(cursor.collection);
    const missing = inserted - cursor.passed;
    cursor.passed = inserted;
    return missing === 0 ? [] : kept.slice(-missing);
  }

  #of(collection: string): { inserted: number; kept: BSON.Document[] } {
    const found = this.#documents.get(collection) ?? { inserted: 0, kept: [] };
    this.#documents.set(collection, found);
    return found;
  }
}

function asAnswer(
  id: string,
  body: BSON.Document,
  batch: 'firstBatch' | 'nextBatch',
  documents: Documents,
): BSON.Document {
  const ns = `${String(body['$db'])}.${String(body['collection'] ?? body['find'])}`;
  return { cursor: { id: BigInt(id), ns, [batch]: documents }, ok: 1 };
}

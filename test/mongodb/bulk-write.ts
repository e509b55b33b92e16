import type { BSON } from 'mongodb';
import { commandOf, type Request } from './wire.js';

/** FerretDB waits for itself when one command has many more. */
const UPDATES_MAX = 10;

type Kind = 'insert' | 'update' | 'delete';

/** Operations that one command of a single collection does. */
interface Portion {
  readonly kind: Kind;
  readonly namespace: string;
  readonly operations: readonly BSON.Document[];
  /** Place of the first one among all. */
  readonly at: number;
}

/** Commands of this kind are numbered apart from those of clients, which count upwards. */
let lastId = 0;

/**
 * The command `bulkWrite` of MongoDB 8.0, for a server that has only commands for single collections: tells one after the other,
 * and makes one answer of theirs. Of the results of single operations it tells the errors alone, as the driver asks.
 */
export class BulkWrite {
  readonly #left: Portion[] = [];
  readonly #errors: BSON.Document[] = [];
  readonly #counts = { nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
  readonly #options: BSON.Document;
  #asked: Portion | undefined;
  #refusal: BSON.Document | undefined;

  constructor(readonly request: Request) {
    const { ordered = true, maxTimeMS, writeConcern } = request.body;
    this.#options = {
      ordered,
      ...(maxTimeMS !== undefined && { maxTimeMS }),
      ...(writeConcern !== undefined && { writeConcern }),
    };
    const namespaces = request.sequence('nsInfo').map(({ ns }) => String(ns));
    for (const [at, operation] of request.sequence('ops').entries()) this.#add(operation, namespaces, at);
  }

  /** The next command, and its ID; undefined when there is none left. */
  next(): { readonly id: number; readonly bytes: Buffer } | undefined {
    this.#asked = this.#refusal === undefined ? this.#left.shift() : undefined;
    if (this.#asked === undefined) return undefined;
    const { kind, namespace, operations } = this.#asked;
    const [database = '', ...collection] = namespace.split('.');
    const id = --lastId;
    const command = { [kind]: collection.join('.'), ...contents(kind, operations), ...this.#options, $db: database };
    return { id, bytes: commandOf(id, command) };
  }

  /** The server's answer to the last command. */
  took(reply: BSON.Document): void {
    const { kind, operations, at } = this.#asked!;
    if (Number(reply['ok']) !== 1) {
      this.#refusal = reply;
      return;
    }
    for (const { index, code, errmsg } of reply['writeErrors'] ?? [])
      this.#errors.push({ ok: 0, idx: at + Number(index), code: Number(code), errmsg, n: 0 });
    const upserted = Number(reply['upserted']?.length ?? 0);
    const count = Number(reply['n'] ?? operations.length);
    if (kind === 'insert') this.#counts.nInserted += count;
    if (kind === 'delete') this.#counts.nDeleted += count;
    if (kind === 'update') {
      this.#counts.nMatched += count - upserted;
      this.#counts.nModified += Number(reply['nModified'] ?? 0);
      this.#counts.nUpserted += upserted;
    }
    if (this.#options['ordered'] === true && this.#errors.length > 0) this.#left.length = 0;
  }

  get answer(): BSON.Document {
    if (this.#refusal !== undefined) return this.#refusal;
    const cursor = { id: 0n, firstBatch: this.#errors, ns: 'admin.$cmd.bulkWrite' };
    return { cursor, nErrors: this.#errors.length, ...this.#counts, ok: 1 };
  }

  #add(operation: BSON.Document, namespaces: readonly string[], at: number): void {
    const kind = (['insert', 'update', 'delete'] as const).find((one) => operation[one] !== undefined);
    if (kind === undefined) throw new Error('An operation of an unknown kind.');
    const namespace = namespaces[Number(operation[kind])] ?? '';
    const last = this.#left.at(-1);
    const isAlike = last?.kind === kind && last.namespace === namespace;
    if (isAlike && (kind === 'insert' || last.operations.length < UPDATES_MAX))
      this.#left[this.#left.length - 1] = { ...last, operations: [...last.operations, operation] };
    else this.#left.push({ kind, namespace, operations: [operation], at });
  }
}

function contents(kind: Kind, operations: readonly BSON.Document[]): BSON.Document {
  switch (kind) {
    case 'insert':
      return { documents: operations.map(({ document }) => document) };
    case 'update':
      return {
        updates: operations.map(({ filter: q, updateMods: u, multi, upsert = false }) => ({ q, u, multi, upsert })),
      };
    case 'delete':
      return { deletes: operations.map(({ filter: q, multi }) => ({ q, limit: multi === true ? 0 : 1 })) };
  }
}

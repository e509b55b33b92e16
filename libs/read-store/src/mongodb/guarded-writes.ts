import type { Key } from '../read-store.js';
import { storedDocument } from './commit-plan.js';
import type { Operation, Operations } from './commit-plan.js';
import type { BeforeStep } from './committer.js';
import type { StoredDocument } from './document-codec.js';
import { duplicatesAmong } from './mongo-failure.js';
import { OPERATION_MS } from './mongo-server.js';
import type { MongoServer } from './mongo-server.js';

const KEYS_PER_QUERY = 1_000;
const INSERTS_PER_COMMAND = 1_000;
/** FerretDB keeps a connection to its database for each update of a command, has a hundred, and waits for ever for more. */
const REPLACES_PER_COMMAND = 10;
const REMOVALS_PER_COMMAND = 50;

export type KnownPositions = ReadonlyMap<Key, number>;

/**
 * Writes without a transaction. None of them overwrites what a later position wrote, however late it arrives: a removed
 * document leaves its position behind, and what is inserted must not be there.
 */
export class GuardedWrites {
  constructor(
    private readonly server: MongoServer,
    private readonly beforeStep: BeforeStep,
  ) {}

  /**
   * By group, the documents that are there, of those that nobody promised to be new. It decides only the form of the writes:
   * guard and upsert together would be a duplicate key for every write that comes too late.
   */
  known(groups: readonly Operations[]): Promise<KnownPositions[]> {
    return Promise.all(
      groups.map(({ physical, operations }) => {
        const unsure = operations.filter(({ f }) => f !== true).map(({ k }) => k);
        return this.#positions(physical, unsure);
      }),
    );
  }

  async apply({ physical, operations }: Operations, position: number, known: KnownPositions): Promise<void> {
    const inserts: Operation[] = [];
    const replaces: Operation[] = [];
    for (const operation of operations) {
      const at = known.get(operation.k);
      if (at !== undefined) {
        if (at <= position) replaces.push(operation);
      } else if (operation.gone === undefined || operation.f === true) {
        inserts.push(operation);
      }
    }
    replaces.push(...(await this.#insert(physical, inserts, position)));
    await this.#replace(
      physical,
      replaces.filter(({ gone }) => gone === undefined),
      position,
    );
    await this.#remove(
      physical,
      replaces.filter(({ gone }) => gone !== undefined),
      position,
    );
  }

  async prune(physical: string, below: Key): Promise<void> {
    await this.server.collection<StoredDocument>(physical).deleteMany({ _id: { $lt: below } });
  }

  async removeMarks(physical: string, beforeMs: number): Promise<void> {
    await this.server.collection<StoredDocument>(physical).deleteMany({ gone: { $lt: beforeMs } });
  }

  async #positions(physical: string, keys: readonly Key[]): Promise<KnownPositions> {
    const positions = new Map<Key, number>();
    for (let at = 0; at < keys.length; at += KEYS_PER_QUERY) {
      const found = await this.server
        .collection<StoredDocument>(physical)
        .find({ _id: { $in: keys.slice(at, at + KEYS_PER_QUERY) } }, { projection: { p: 1 }, maxTimeMS: OPERATION_MS })
        .toArray();
      for (const { _id, p } of found) positions.set(_id, p);
    }
    return positions;
  }

  /** Answers with those that are there already. */
  async #insert(physical: string, operations: readonly Operation[], position: number): Promise<readonly Operation[]> {
    const present: Operation[] = [];
    for (let at = 0; at < operations.length; at += INSERTS_PER_COMMAND) {
      const portion = operations.slice(at, at + INSERTS_PER_COMMAND);
      await this.beforeStep('insert');
      try {
        await this.server.collection<StoredDocument>(physical).insertMany(
          portion.map((operation) => storedDocument(operation, position)),
          { ordered: false },
        );
      } catch (error) {
        const duplicates = duplicatesAmong(error);
        if (duplicates === undefined) throw error;
        present.push(...portion.filter((_, index) => duplicates.includes(index)));
      }
    }
    return present;
  }

  /** Removals differ in nothing but their key. */
  async #remove(physical: string, operations: readonly Operation[], position: number): Promise<void> {
    for (let at = 0; at < operations.length; at += REMOVALS_PER_COMMAND) {
      const portion = operations.slice(at, at + REMOVALS_PER_COMMAND);
      await this.beforeStep('replace');
      await this.server
        .collection<StoredDocument>(physical)
        .updateMany(
          { _id: { $in: portion.map(({ k }) => k) }, p: { $lte: position } },
          { $set: { p: position, gone: portion[0]?.gone ?? 0 }, $unset: { d: '', b: '', w: '' } },
        );
    }
  }

  async #replace(physical: string, operations: readonly Operation[], position: number): Promise<void> {
    for (let at = 0; at < operations.length; at += REPLACES_PER_COMMAND) {
      await this.beforeStep('replace');
      await this.server.collection<StoredDocument>(physical).bulkWrite(
        operations.slice(at, at + REPLACES_PER_COMMAND).map((operation) => {
          const { _id, ...replacement } = storedDocument(operation, position);
          return { replaceOne: { filter: { _id, p: { $lte: position } }, replacement } };
        }),
        { ordered: false },
      );
    }
  }
}

import { forEachInBatches } from '#kernel';
import type { Key } from '../../read-store.js';
import { prunedKeys, storedDocument } from './commit-plan.js';
import type { Operation, Operations, PlannedPrune } from './commit-plan.js';
import type { StoredDocument } from '../document-codec.js';
import { duplicatesAmong } from '../server/mongo-failure.js';
import type { MongoServer } from '../server/mongo-server.js';

const KEYS_PER_QUERY = 1_000;
const INSERTS_PER_COMMAND = 1_000;
/** FerretDB takes one of its hundred database connections for each update of a command, and waits for ever for more. */
const REPLACES_PER_COMMAND = 10;
const REMOVALS_PER_COMMAND = 50;

/** Called before each step of a commit, for tests that stop or delay it there. */
export type BeforeStep = (step: string) => Promise<void>;

export type KnownPositions = ReadonlyMap<Key, number>;

type Command = () => Promise<unknown>;

/**
 * Idempotent, order-independent writes of documents. No write overwrites that of a later position, however late it
 * arrives: a removed document leaves its position behind, and an insert fails when the document exists.
 */
export class GuardedWrites {
  constructor(
    private readonly server: MongoServer,
    private readonly beforeStep: BeforeStep,
  ) {}

  /**
   * Returns, by group, which documents exist, of those not promised to be new. This only selects the form of the
   * writes: guard and upsert together would be a duplicate key for every late write.
   */
  known(groups: readonly Operations[]): Promise<KnownPositions[]> {
    return Promise.all(
      groups.map(({ physical, operations }) => {
        const unsure = operations.filter(({ f }) => f !== true).map(({ k }) => k);
        return this.#positions(physical, unsure);
      }),
    );
  }

  /** Resolves when a majority has all writes. */
  async apply(groups: readonly Operations[], position: number, known: readonly KnownPositions[]): Promise<void> {
    const present: Operations[] = [];
    const commands = groups.flatMap((group, index) =>
      this.#commands(group, position, known[index] ?? NONE_KNOWN, (operations) =>
        present.push({ physical: group.physical, operations }),
      ),
    );
    await this.#run(commands);
    // Inserts whose document already existed.
    await this.#run(present.flatMap((group) => this.#overwrites(group, position)));
  }

  async prune(prune: PlannedPrune): Promise<void> {
    await this.server.collection<StoredDocument>(prune.physical).deleteMany(prunedKeys(prune));
  }

  async removeMarks(physical: string, beforeMs: number): Promise<void> {
    await this.server.collection<StoredDocument>(physical).deleteMany({ gone: { $lt: beforeMs } });
  }

  async #positions(physical: string, keys: readonly Key[]): Promise<KnownPositions> {
    const positions = new Map<Key, number>();
    for (let at = 0; at < keys.length; at += KEYS_PER_QUERY) {
      const found = await this.server
        .collection<StoredDocument>(physical)
        .findAll({ _id: { $in: keys.slice(at, at + KEYS_PER_QUERY) } }, { projection: { p: 1 } });
      for (const { _id, p } of found) positions.set(_id, p);
    }
    return positions;
  }

  #run(commands: readonly Command[]): Promise<void> {
    return forEachInBatches(this.server.capabilities.writesAtOnce, commands, (command) => command());
  }

  #commands(
    group: Operations,
    position: number,
    known: KnownPositions,
    foundPresent: (operations: readonly Operation[]) => void,
  ): Command[] {
    const inserts: Operation[] = [];
    const overwrites: Operation[] = [];
    for (const operation of group.operations) {
      const at = known.get(operation.k);
      if (at !== undefined) {
        if (at <= position) overwrites.push(operation);
      } else if (operation.gone === undefined || operation.f === true) {
        inserts.push(operation);
      }
    }
    const { physical } = group;
    return [
      ...portions(inserts, INSERTS_PER_COMMAND).map(
        (portion) => async () => foundPresent(await this.#insert(physical, portion, position)),
      ),
      ...this.#overwrites({ physical, operations: overwrites }, position),
    ];
  }

  #overwrites({ physical, operations }: Operations, position: number): Command[] {
    const replaces = operations.filter(({ gone }) => gone === undefined);
    const removals = operations.filter(({ gone }) => gone !== undefined);
    return [
      ...portions(replaces, REPLACES_PER_COMMAND).map((portion) => () => this.#replace(physical, portion, position)),
      ...portions(removals, REMOVALS_PER_COMMAND).map((portion) => () => this.#remove(physical, portion, position)),
    ];
  }

  /** @returns the documents that already existed */
  async #insert(physical: string, operations: readonly Operation[], position: number): Promise<readonly Operation[]> {
    await this.beforeStep('insert');
    try {
      await this.server.collection<StoredDocument>(physical).insertMany(
        operations.map((operation) => storedDocument(operation, position)),
        false,
      );
      return [];
    } catch (error) {
      const duplicates = duplicatesAmong(error);
      if (duplicates === undefined) throw error;
      return operations.filter((_, index) => duplicates.includes(index));
    }
  }

  /** Removals differ only in their keys. */
  async #remove(physical: string, operations: readonly Operation[], position: number): Promise<void> {
    await this.beforeStep('replace');
    await this.server
      .collection<StoredDocument>(physical)
      .updateMany(
        { _id: { $in: operations.map(({ k }) => k) }, p: { $lte: position } },
        { $set: { p: position, gone: operations[0]?.gone ?? 0 }, $unset: { d: '', b: '', w: '' } },
      );
  }

  async #replace(physical: string, operations: readonly Operation[], position: number): Promise<void> {
    await this.beforeStep('replace');
    await this.server.collection<StoredDocument>(physical).bulkWrite(
      operations.map((operation) => {
        const { _id, ...replacement } = storedDocument(operation, position);
        return { replaceOne: { filter: { _id, p: { $lte: position } }, replacement } };
      }),
    );
  }
}

const NONE_KNOWN: KnownPositions = new Map();

function portions(operations: readonly Operation[], length: number): Operation[][] {
  const cut: Operation[][] = [];
  for (let at = 0; at < operations.length; at += length) cut.push(operations.slice(at, at + length));
  return cut;
}

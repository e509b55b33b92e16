import { forEachInBatches } from '#kernel';
import type { Key } from '../../read-store.js';
import { prunedKeys, storedDocument } from './commit-plan.js';
import type { Operation, PlannedPrune } from './commit-plan.js';
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

/** An operation at the position of its commit. */
export interface PlacedOperation extends Operation {
  readonly at: number;
  /** The writer knows that the document exists. */
  readonly exists?: boolean;
}

/** Operations on one collection of the server, at most one per document. */
export interface PlacedOperations {
  readonly physical: string;
  readonly operations: readonly PlacedOperation[];
}

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

  /** Resolves when a majority has all writes. */
  async apply(groups: readonly PlacedOperations[]): Promise<void> {
    const known = await Promise.all(groups.map((group) => this.#positions(group)));
    const present: PlacedOperations[] = [];
    const commands = groups.flatMap((group, index) =>
      this.#commands(group, known[index] ?? NONE_KNOWN, (operations) =>
        present.push({ physical: group.physical, operations }),
      ),
    );
    await this.#run(commands);
    // Inserts whose document already existed.
    await this.#run(present.flatMap((group) => this.#overwrites(group)));
  }

  async prune(prune: PlannedPrune): Promise<void> {
    await this.beforeStep('prune');
    await this.server.collection<StoredDocument>(prune.physical).deleteMany(prunedKeys(prune));
  }

  async removeMarks(physical: string, beforeMs: number): Promise<void> {
    await this.server.collection<StoredDocument>(physical).deleteMany({ gone: { $lt: beforeMs } });
  }

  /**
   * Positions of the documents that exist, of those that are neither new nor known to exist. This only selects the form of
   * the writes: guard and upsert together would be a duplicate key for every late write.
   */
  async #positions({ physical, operations }: PlacedOperations): Promise<KnownPositions> {
    const unsure = operations.filter(({ f, exists }) => f !== true && exists !== true).map(({ k }) => k);
    const positions = new Map<Key, number>();
    for (let at = 0; at < unsure.length; at += KEYS_PER_QUERY) {
      const found = await this.server
        .collection<StoredDocument>(physical)
        .findAll({ _id: { $in: unsure.slice(at, at + KEYS_PER_QUERY) } }, { projection: { p: 1 } });
      for (const { _id, p } of found) positions.set(_id, p);
    }
    return positions;
  }

  #run(commands: readonly Command[]): Promise<void> {
    return forEachInBatches(this.server.capabilities.writesAtOnce, commands, (command) => command());
  }

  #commands(
    { physical, operations }: PlacedOperations,
    known: KnownPositions,
    foundPresent: (operations: readonly PlacedOperation[]) => void,
  ): Command[] {
    const inserts: PlacedOperation[] = [];
    const overwrites: PlacedOperation[] = [];
    for (const operation of operations) {
      const at = known.get(operation.k);
      if (operation.exists === true) overwrites.push(operation);
      else if (at !== undefined) {
        if (at <= operation.at) overwrites.push(operation);
      } else if (operation.gone === undefined || operation.f === true) {
        inserts.push(operation);
      }
    }
    return [
      ...portions(inserts, INSERTS_PER_COMMAND).map(
        (portion) => async () => foundPresent(await this.#insert(physical, portion)),
      ),
      ...this.#overwrites({ physical, operations: overwrites }),
    ];
  }

  #overwrites({ physical, operations }: PlacedOperations): Command[] {
    const replaces = operations.filter(({ gone }) => gone === undefined);
    const removals = new Map<string, PlacedOperation[]>();
    for (const operation of operations) {
      if (operation.gone === undefined) continue;
      // Removals of one commit differ only in their keys.
      const alike = `${operation.at} ${operation.gone}`;
      removals.set(alike, [...(removals.get(alike) ?? []), operation]);
    }
    return [
      ...portions(replaces, REPLACES_PER_COMMAND).map((portion) => () => this.#replace(physical, portion)),
      ...[...removals.values()]
        .flatMap((alike) => portions(alike, REMOVALS_PER_COMMAND))
        .map((portion) => () => this.#remove(physical, portion)),
    ];
  }

  /** @returns the documents that already existed */
  async #insert(physical: string, operations: readonly PlacedOperation[]): Promise<readonly PlacedOperation[]> {
    await this.beforeStep('insert');
    try {
      await this.server.collection<StoredDocument>(physical).insertMany(operations.map(placedDocument), false);
      return [];
    } catch (error) {
      const duplicates = duplicatesAmong(error);
      if (duplicates === undefined) throw error;
      return operations.filter((_, index) => duplicates.includes(index));
    }
  }

  async #remove(physical: string, operations: readonly PlacedOperation[]): Promise<void> {
    await this.beforeStep('replace');
    const { at = 0, gone = 0 } = operations[0] ?? {};
    await this.server
      .collection<StoredDocument>(physical)
      .updateMany(
        { _id: { $in: operations.map(({ k }) => k) }, p: { $lte: at } },
        { $set: { p: at, gone }, $unset: { d: '', b: '', w: '' } },
      );
  }

  async #replace(physical: string, operations: readonly PlacedOperation[]): Promise<void> {
    await this.beforeStep('replace');
    await this.server.collection<StoredDocument>(physical).bulkWrite(
      operations.map((operation) => {
        const { _id, ...replacement } = placedDocument(operation);
        return { replaceOne: { filter: { _id, p: { $lte: operation.at } }, replacement } };
      }),
    );
  }
}

type KnownPositions = ReadonlyMap<Key, number>;

const NONE_KNOWN: KnownPositions = new Map();

function placedDocument(operation: PlacedOperation): StoredDocument {
  return storedDocument(operation, operation.at);
}

function portions<Item>(items: readonly Item[], length: number): Item[][] {
  const cut: Item[][] = [];
  for (let at = 0; at < items.length; at += length) cut.push(items.slice(at, at + length));
  return cut;
}

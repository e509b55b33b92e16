import { BSON } from 'mongodb';
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
/** Where they are deleted, and their tombstones inserted: two transactions of the server for all, instead of one for each. */
const REMOVALS_PER_EXCHANGE = 1_000;

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

  /**
   * Resolves when a majority has all writes.
   * @param isAgain some may be done already, by an earlier attempt or by another process: these are looked for first, since a look at a
   * thousand documents costs as much as a write of one on a server that scans
   */
  async apply(all: readonly PlacedOperations[], isAgain = false): Promise<void> {
    const groups = isAgain ? await this.#undone(all) : all;
    const known = await Promise.all(groups.map((group) => this.#positions(group)));
    const present: PlacedOperations[] = [];
    const commands = groups.flatMap((group, index) =>
      this.#commands(group, known[index] ?? NONE_KNOWN, isAgain, (operations) =>
        present.push({ physical: group.physical, operations }),
      ),
    );
    await this.#run(commands);
    // Inserts whose document already existed: mostly since another process has just done the same.
    await this.#run((await this.#undone(present)).flatMap((group) => this.#overwrites(group)));
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
  #positions({ physical, operations }: PlacedOperations): Promise<KnownPositions> {
    return this.#positionsOf(
      physical,
      operations.filter(({ f, exists }) => f !== true && exists !== true),
    );
  }

  async #positionsOf(physical: string, operations: readonly PlacedOperation[]): Promise<KnownPositions> {
    const positions = new Map<Key, number>();
    for (const portion of portions(operations, KEYS_PER_QUERY)) {
      const found = await this.#find(physical, portion, { p: 1 });
      for (const { _id, p } of found) positions.set(_id, p);
    }
    return positions;
  }

  /** The operations without those whose outcome is there, or that of a later one. */
  async #undone(groups: readonly PlacedOperations[]): Promise<readonly PlacedOperations[]> {
    // An election may undo what is there.
    if (!this.server.capabilities.majorityReads) return groups;
    return Promise.all(
      groups.map(async ({ physical, operations }) => {
        const positions = await this.#positionsOf(physical, operations);
        const left = operations.filter(({ k, at }) => (positions.get(k) ?? -Infinity) <= at);
        // The same position alone does not say so: a commit may be repeated at its position with other content.
        const alike = left.filter(({ k, at }) => positions.get(k) === at);
        const done = new Set<PlacedOperation>();
        for (const portion of portions(alike, KEYS_PER_QUERY)) {
          const found = new Map((await this.#find(physical, portion)).map((document) => [document._id, document]));
          for (const operation of portion) if (isOutcome(found.get(operation.k), operation)) done.add(operation);
        }
        return { physical, operations: left.filter((operation) => !done.has(operation)) };
      }),
    );
  }

  #find(
    physical: string,
    operations: readonly PlacedOperation[],
    projection?: Readonly<Record<string, 1>>,
  ): Promise<StoredDocument[]> {
    return this.server
      .collection<StoredDocument>(physical)
      .findAll({ _id: { $in: operations.map(({ k }) => k) } }, projection === undefined ? {} : { projection });
  }

  #run(commands: readonly Command[]): Promise<void> {
    return forEachInBatches(this.server.capabilities.writesAtOnce, commands, (command) => command());
  }

  #commands(
    { physical, operations }: PlacedOperations,
    known: KnownPositions,
    isAgain: boolean,
    foundPresent: (operations: readonly PlacedOperation[]) => void,
  ): Command[] {
    const inserts: PlacedOperation[] = [];
    const overwrites: PlacedOperation[] = [];
    // An earlier attempt may have ended between the removal of a document and its tombstone.
    const isExchanged = isAgain && this.#exchanges;
    for (const operation of operations) {
      const at = known.get(operation.k);
      if (operation.exists === true) overwrites.push(operation);
      else if (at !== undefined) {
        if (at <= operation.at) overwrites.push(operation);
      } else if (operation.gone === undefined || operation.f === true || isExchanged) {
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
        .flatMap((alike) => portions(alike, this.#exchanges ? REMOVALS_PER_EXCHANGE : REMOVALS_PER_COMMAND))
        .map(
          (portion) => () => (this.#exchanges ? this.#exchange(physical, portion) : this.#remove(physical, portion)),
        ),
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

  /** Each update is a transaction of its own there, also those of one command. */
  get #exchanges(): boolean {
    return !this.server.capabilities.findsByKey;
  }

  /** Deletes the documents, and inserts their tombstones. */
  async #exchange(physical: string, operations: readonly PlacedOperation[]): Promise<void> {
    await this.beforeStep('replace');
    await this.server
      .collection<StoredDocument>(physical)
      .deleteMany({ _id: { $in: operations.map(({ k }) => k) }, p: { $lte: operations[0]?.at ?? 0 } });
    const present = await this.#insert(physical, operations);
    // What is there is later, or an older write that came late in between.
    for (const group of await this.#undone([{ physical, operations: present }]))
      for (const portion of portions(group.operations, REMOVALS_PER_COMMAND)) await this.#remove(physical, portion);
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

/** Compared as bytes: values of the driver and of this program differ in nothing else that counts. */
function isOutcome(found: StoredDocument | undefined, operation: PlacedOperation): boolean {
  return found !== undefined && Buffer.compare(BSON.serialize(found), BSON.serialize(placedDocument(operation))) === 0;
}

function portions<Item>(items: readonly Item[], length: number): Item[][] {
  const cut: Item[][] = [];
  for (let at = 0; at < items.length; at += length) cut.push(items.slice(at, at + length));
  return cut;
}

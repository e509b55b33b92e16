import { BSON } from 'mongodb';
import { forEachInBatches } from '#kernel';
import type { Key } from '../../read-store.js';
import { prunedKeys, storedDocument } from './commit-plan.js';
import type { Operation, PlannedPrune } from './commit-plan.js';
import type { StoredDocument } from '../document-codec.js';
import { duplicatesAmong, isDenied, isNotSupported } from '../server/mongo-failure.js';
import type { InsertWrite, MongoServer, ReplaceWrite } from '../server/mongo-server.js';

const KEYS_PER_QUERY = 1_000;
const INSERTS_PER_COMMAND = 1_000;
/** FerretDB takes one of its hundred database connections for each update of a command, and waits for ever for more. */
const REPLACES_PER_COMMAND = 10;
const REMOVALS_PER_COMMAND = 50;
/** Where they are deleted, and their tombstones inserted: two transactions of the server for all, instead of one for each. */
const REMOVALS_PER_EXCHANGE = 1_000;
/** Those of one command that writes to all collections, beside its inserts: more may take a slow server longer than a call may. */
const OVERWRITES_PER_BULK = 50;

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

/** Operations on one collection of the server, by the form of their writes. */
interface FormedWrites {
  readonly physical: string;
  readonly inserts: readonly PlacedOperation[];
  readonly overwrites: readonly PlacedOperation[];
}

/** Operations whose documents existed, by collection. */
type FoundPresent = (physical: string, operations: readonly PlacedOperation[]) => void;
type Command = () => Promise<unknown>;

/**
 * Idempotent, order-independent writes of documents. No write overwrites that of a later position, however late it
 * arrives: a removed document leaves its position behind, and an insert fails when the document exists.
 */
export class GuardedWrites {
  /** Whether one command writes to several collections, as far as is known. */
  #isBulk: boolean;

  constructor(
    private readonly server: MongoServer,
    private readonly beforeStep: BeforeStep,
  ) {
    this.#isBulk = server.capabilities.bulkWrites;
  }

  /**
   * Resolves when a majority has all writes.
   * @param isAgain some may be done already, by an earlier attempt or by another process: these are looked for first, since a look at a
   * thousand documents costs as much as a write of one on a server that scans
   */
  async apply(all: readonly PlacedOperations[], isAgain = false): Promise<void> {
    const groups = isAgain ? await this.#undone(all) : all;
    const known = await Promise.all(groups.map((group) => this.#positions(group)));
    // Inserts whose document already existed: mostly since another process has just done the same.
    const present = await this.#write(
      groups.map((group, index) => this.#formed(group, known[index] ?? NONE_KNOWN, isAgain)),
    );
    await this.#write(
      (await this.#undone(present)).map(({ physical, operations }) => ({
        physical,
        inserts: [],
        overwrites: operations,
      })),
    );
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

  /** @returns the operations whose inserts found that the document already existed */
  async #write(all: readonly FormedWrites[]): Promise<readonly PlacedOperations[]> {
    const present: PlacedOperations[] = [];
    const foundPresent: FoundPresent = (physical, operations) => present.push({ physical, operations });
    const run = (commands: readonly Command[]): Promise<void> =>
      forEachInBatches(this.server.capabilities.writesAtOnce, commands, (command) => command());
    if (this.#isBulk) {
      try {
        await run(this.#bulks(all, foundPresent));
        return present;
      } catch (error) {
        // Not before all members of a replica set are upgraded, and the new version is made the compatible one; nor by a user whose role
        // allows only what an earlier version has.
        if (!isNotSupported(error) && !isDenied(error)) throw error;
        this.#isBulk = false;
        present.length = 0;
      }
    }
    await run(all.flatMap((writes) => this.#commands(writes, foundPresent)));
    return present;
  }

  /** Commands that write to all collections together. */
  #bulks(all: readonly FormedWrites[], foundPresent: FoundPresent): Command[] {
    const placed = (physical: string, operations: readonly PlacedOperation[], step: 'insert' | 'replace') =>
      operations.map((operation) => ({ physical, operation, step }));
    const inserts = all.flatMap(({ physical, inserts }) => placed(physical, inserts, 'insert'));
    const overwrites = all.flatMap(({ physical, overwrites }) => placed(physical, overwrites, 'replace'));
    const parts = [portions(inserts, INSERTS_PER_COMMAND), portions(overwrites, OVERWRITES_PER_BULK)];
    const bulks = Array.from({ length: Math.max(...parts.map(({ length }) => length)) }, (_, index) =>
      parts.flatMap((part) => part[index] ?? []),
    );
    return bulks.map((bulk) => async () => {
      for (const step of new Set(bulk.map(({ step }) => step))) await this.beforeStep(step);
      const present = await this.server.bulkWrite(
        bulk.map(({ physical, operation, step }) => ({
          collection: physical,
          ...(step === 'insert' ? insertOf(operation) : replaceOf(operation)),
        })),
      );
      for (const { physical, operation } of present.flatMap((index) => bulk[index] ?? [])) {
        foundPresent(physical, [operation]);
      }
    });
  }

  /** The form of each write, by what is known of its document. */
  #formed({ physical, operations }: PlacedOperations, known: KnownPositions, isAgain: boolean): FormedWrites {
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
    return { physical, inserts, overwrites };
  }

  #commands({ physical, inserts, overwrites }: FormedWrites, foundPresent: FoundPresent): Command[] {
    const replaces = overwrites.filter(({ gone }) => gone === undefined);
    const removals = new Map<string, PlacedOperation[]>();
    for (const operation of overwrites) {
      if (operation.gone === undefined) continue;
      // Removals of one commit differ only in their keys.
      const alike = `${operation.at} ${operation.gone}`;
      removals.set(alike, [...(removals.get(alike) ?? []), operation]);
    }
    return [
      ...portions(inserts, INSERTS_PER_COMMAND).map(
        (portion) => async () => foundPresent(physical, await this.#insert(physical, portion)),
      ),
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
    return !this.server.capabilities.findsByKey && !this.#isBulk;
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
        const { filter, replacement } = replaceOf(operation);
        return { replaceOne: { filter, replacement } };
      }),
    );
  }
}

type KnownPositions = ReadonlyMap<Key, number>;

const NONE_KNOWN: KnownPositions = new Map();

function insertOf(operation: PlacedOperation): InsertWrite<StoredDocument> {
  return { name: 'insertOne', document: placedDocument(operation) };
}

function replaceOf(operation: PlacedOperation): ReplaceWrite<StoredDocument> {
  const { _id, ...replacement } = placedDocument(operation);
  return { name: 'replaceOne', filter: { _id, p: { $lte: operation.at } }, replacement };
}

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

import type { AnyBulkWriteOperation } from 'mongodb';
import type { CollectionSchema, Commit, Key, SavedCheckpoint } from '../read-store.js';
import { checkedKey } from '../schema.js';
import { encodeDocument, encodeName } from './document-codec.js';
import type { Content, StoredDocument } from './document-codec.js';
import type { Located, StoreState } from './store-state.js';

/** What becomes of one document: its new content, or its removal. */
export interface Operation extends Content {
  readonly k: Key;
  /** The document is new, says the projection. */
  readonly f?: true;
  /** It is removed: when, in ms since 1970. */
  readonly gone?: number;
}

/** The operations on one collection of the server, at most one for a document. */
export interface Operations {
  readonly physical: string;
  readonly operations: readonly Operation[];
}

export interface OperationGroup extends Operations {
  /** Some of its documents may have been written at a later position: those are left alone. */
  readonly mayBeOvertaken: boolean;
}

export interface PlannedPrune {
  readonly physical: string;
  readonly below: Key;
}

/** A commit as the server gets it. */
export interface CommitPlan {
  readonly position: number;
  readonly groups: readonly OperationGroup[];
  readonly prunes: readonly PlannedPrune[];
  /** What the state will be. */
  readonly next: StoreState;
}

/**
 * Checks and encodes a commit. `schemas` are the collections that were opened, by name.
 * @throws TypeError when a document is not as its schema declares.
 */
export function planCommit(
  state: StoreState,
  schemas: ReadonlyMap<string, CollectionSchema>,
  commit: Commit,
  nowMs: number,
): CommitPlan {
  const { position, writes, prunes = [], checkpoints = {}, passed = state.passed } = commit;
  if (!Number.isSafeInteger(position)) throw new RangeError('A commit has a position.');
  const byCollection = new Map<string, Map<Key, Operation>>();
  for (const { collection, key, doc, fresh } of writes) {
    const { schema } = target(state, schemas, collection);
    const checked = checkedKey(schema, key);
    let operations = byCollection.get(collection);
    if (operations === undefined) byCollection.set(collection, (operations = new Map<Key, Operation>()));
    const isFresh = (fresh ?? operations.get(checked)?.f) === true;
    const content = doc === undefined ? { gone: nowMs } : encodeDocument(schema, doc);
    operations.set(checked, { k: checked, ...(isFresh && { f: true }), ...content });
  }
  const groups: OperationGroup[] = [];
  const collections: Record<string, Located> = { ...state.collections };
  for (const [name, operations] of byCollection) {
    const { located } = target(state, schemas, name);
    groups.push({
      physical: located.physical,
      operations: [...operations.values()],
      mayBeOvertaken: position < located.top,
    });
    collections[encodeName(name)] = { ...located, top: Math.max(located.top, position) };
  }
  return {
    position,
    groups,
    prunes: prunes.map(({ collection, below }) => {
      const { schema, located } = target(state, schemas, collection);
      return { physical: located.physical, below: checkedKey(schema, below) };
    }),
    next: { ...state, collections, passed, checkpoints: { ...state.checkpoints, ...encoded(checkpoints) } },
  };
}

/** How a transaction says the operations. Where a projection's promise of a new document is broken, `upserts` are needed. */
export function bulkOperations(
  { operations }: Operations,
  position: number,
  overtaken: ReadonlySet<Key>,
  upserts: boolean,
): AnyBulkWriteOperation<StoredDocument>[] {
  const bulk: AnyBulkWriteOperation<StoredDocument>[] = [];
  for (const operation of operations) {
    const { k, f, gone } = operation;
    if (overtaken.has(k)) continue;
    if (gone !== undefined) bulk.push({ deleteOne: { filter: { _id: k } } });
    else if (f && !upserts) bulk.push({ insertOne: { document: storedDocument(operation, position) } });
    else {
      const { _id, ...replacement } = storedDocument(operation, position);
      bulk.push({ replaceOne: { filter: { _id }, replacement, upsert: true } });
    }
  }
  return bulk;
}

export function storedDocument({ k, d, b, w, gone }: Operation, position: number): StoredDocument {
  return {
    _id: k,
    p: position,
    ...(d !== undefined && { d }),
    ...(b !== undefined && { b }),
    ...(w !== undefined && { w }),
    ...(gone !== undefined && { gone }),
  };
}

function target(
  state: StoreState,
  schemas: ReadonlyMap<string, CollectionSchema>,
  name: string,
): { readonly schema: CollectionSchema; readonly located: Located } {
  const schema = schemas.get(name);
  const located = state.collections[encodeName(name)];
  if (schema === undefined || located === undefined) throw new Error(`There is no collection ${name}.`);
  return { schema, located };
}

function encoded(checkpoints: Readonly<Record<string, SavedCheckpoint>>): Record<string, SavedCheckpoint> {
  return Object.fromEntries(
    Object.entries(checkpoints).map(([name, { checkpoint, position }]) => [encodeName(name), { checkpoint, position }]),
  );
}

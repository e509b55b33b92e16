import type { Key } from '../../read-store.js';
import type { Operation } from './commit-plan.js';
import type { PlacedOperation, PlacedOperations } from './guarded-writes.js';
import type { Entry } from './journal.js';

/** Tells which documents the writer knows to exist before an entry. */
export type ExistsBefore = (physical: string, key: Key) => boolean;

/** An entry's operations. Whoever knows nothing of the documents says that none exists. */
export function placedGroups(
  { groups, position }: Pick<Entry, 'groups' | 'position'>,
  existsBefore: ExistsBefore = () => false,
): readonly PlacedOperations[] {
  return groups.map(({ physical, operations }) => ({
    physical,
    operations: operations.map((operation) => placed(operation, position, existsBefore(physical, operation.k))),
  }));
}

function placed(operation: Operation, at: number, exists: boolean): PlacedOperation {
  return exists ? { ...operation, at, exists } : { ...operation, at };
}

/** The last operation on each document. Whether it is new is known from the first one. */
export function merged(batch: readonly (readonly PlacedOperations[])[]): readonly PlacedOperations[] {
  const [only, ...others] = batch;
  if (only !== undefined && others.length === 0) return only;
  const all = new Map<string, Map<Key, PlacedOperation>>();
  for (const { physical, operations } of batch.flat()) {
    let latest = all.get(physical);
    if (latest === undefined) all.set(physical, (latest = new Map<Key, PlacedOperation>()));
    for (const operation of operations) {
      const earlier = latest.get(operation.k);
      latest.set(operation.k, earlier === undefined ? operation : after(earlier, operation));
    }
  }
  return [...all].map(([physical, latest]) => ({ physical, operations: [...latest.values()] }));
}

/** The later operation by position; whether the document is new, or there, is known from the earlier one. */
function after(earlier: PlacedOperation, operation: PlacedOperation): PlacedOperation {
  if (operation.at < earlier.at) return earlier;
  const { f: _, exists: __, ...rest } = operation;
  const { f, exists } = earlier;
  return { ...rest, ...(f === true && { f }), ...(exists === true && { exists }) };
}

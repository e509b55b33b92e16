import { BSON } from 'mongodb';
import type { Operation, Operations } from './commit-plan.js';

/** A document may hold eight times as much, but a call has a timeout, also on a slow server. */
const PART_BYTES_MAX = 2_000_000;

/** Splits groups of operations into portions, none of which is larger than one call should be. There is at least one. */
export function packed(groups: readonly Operations[]): readonly (readonly Operations[])[] {
  const parts: Operations[][] = [];
  let part: Operations[] = [];
  let bytes = 0;
  for (const { physical, operations } of groups) {
    let open: Operation[] = [];
    part.push({ physical, operations: open });
    for (const operation of operations) {
      const size = BSON.calculateObjectSize(operation);
      if (bytes > 0 && bytes + size > PART_BYTES_MAX) {
        parts.push(part);
        open = [];
        part = [{ physical, operations: open }];
        bytes = 0;
      }
      open.push(operation);
      bytes += size;
    }
  }
  parts.push(part);
  return parts;
}

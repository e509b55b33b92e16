const STRING_BYTES = 16;
const OBJECT_BYTES = 32;
const ENTRY_BYTES = 16;
const SCALAR_BYTES = 8;
const DEPTH_MAX = 8;

/**
 * Approximate memory of a value in bytes: one byte for each character, as V8 stores Latin text. It is followed through objects, arrays,
 * maps and sets.
 */
export function weightOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return STRING_BYTES + value.length;
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return SCALAR_BYTES;
  let weight = OBJECT_BYTES;
  if (Array.isArray(value)) {
    if (typeof value[0] === 'number') return weight + SCALAR_BYTES * value.length;
    for (const item of value) weight += weightOf(item, depth + 1);
  } else if (value instanceof Map) {
    for (const [key, item] of value) weight += ENTRY_BYTES + weightOf(key, depth + 1) + weightOf(item, depth + 1);
  } else if (value instanceof Set) {
    for (const item of value) weight += ENTRY_BYTES + weightOf(item, depth + 1);
  } else {
    for (const item of Object.values(value)) weight += ENTRY_BYTES + weightOf(item, depth + 1);
  }
  return weight;
}

/** Bytes of JSON up to which an entry holds the state that it tells. */
const STATE_BYTES_MAX = 2048;

/** Body of an entry that tells a list as a whole. */
export interface ListOfThen<Item> {
  /** The list as of the entry's event. Absent when it is large: then clients are told the list as of delivery. */
  readonly state?: readonly Item[];
}

/**
 * The list as it is now, for the body of an entry, so that a client that asks after several changes is told each of them. A large list
 * is left out: an answer would be as many times as large as there were changes, and so would the feed. Reads no further than the limit.
 */
export function listOfThen<Item>(items: Iterable<Item>): ListOfThen<Item> {
  const state: Item[] = [];
  let bytes = 2;
  for (const item of items) {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > STATE_BYTES_MAX) return {};
    state.push(item);
  }
  return { state };
}

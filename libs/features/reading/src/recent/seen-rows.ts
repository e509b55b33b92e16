import type { SubscriptionSpan } from '#channels/model';
import type { RowPlace, RowTraits } from './recent-rows.js';

const ROOM_AT_FIRST = 64;

/** A place of messages, as one user sees it now. */
export interface UserPlace extends RowPlace {
  /** Among the places of its scan, from 0. */
  readonly index: number;
  /** Undefined for a direct conversation. */
  readonly channelId: number | undefined;
  /** All participants of a direct conversation, ascending. */
  readonly participants: readonly number[];
  /** Whether the user muted the topic. */
  readonly isMuted: boolean;
  /** Whether what is unread there is listed: not in archived channels, and not in those that the user left. */
  readonly isListed: boolean;
  /** Whether the user may read what is there; `each` where that depends on the message. */
  readonly isReadable: boolean | 'each';
  /** While the user was subscribed to the channel. */
  readonly spans: readonly SubscriptionSpan[];
}

/** A message as one user sees it. */
export interface SeenRow {
  readonly id: number;
  readonly senderId: number;
  readonly place: UserPlace;
  /** Undefined for most. */
  readonly traits: RowTraits | undefined;
}

/** Messages of one place. */
export interface PlacedIds {
  readonly place: UserPlace;
  /** In the order of the rows. */
  readonly ids: readonly number[];
}

/**
 * Messages as one user sees them, in columns: 50,000 rows are three arrays of numbers, not 50,000 objects. A row that is asked for is
 * made then.
 */
export class SeenRows implements Iterable<SeenRow> {
  #ids = new Uint32Array(ROOM_AT_FIRST);
  #senders = new Uint32Array(ROOM_AT_FIRST);
  /** Of each row, the index of its place. */
  #at = new Uint32Array(ROOM_AT_FIRST);
  /** Rows with traits, by ID: few. */
  readonly #special = new Map<number, SeenRow>();
  #length = 0;

  /** @param places by their `index`; the list may still grow */
  constructor(private readonly places: readonly UserPlace[]) {}

  get length(): number {
    return this.#length;
  }

  /** The rows with traits, in no order. */
  get special(): Iterable<SeenRow> {
    return this.#special.values();
  }

  /** IDs in the order of the rows. */
  ids(): number[] {
    return Array.from(this.#ids.subarray(0, this.#length));
  }

  /** Adds a row without traits. @param at the index of its place */
  add(id: number, senderId: number, at: number): void {
    if (this.#length === this.#ids.length) this.#grow();
    const index = this.#length++;
    this.#ids[index] = id;
    this.#senders[index] = senderId;
    this.#at[index] = at;
  }

  addRow(row: SeenRow): void {
    this.add(row.id, row.senderId, row.place.index);
    if (row.traits !== undefined) this.#special.set(row.id, row);
  }

  /** Leaves out all rows from the given number on. */
  cutAt(length: number): void {
    for (let index = length; index < this.#length; index++) this.#special.delete(this.#ids[index] ?? 0);
    this.#length = Math.min(this.#length, length);
  }

  reverse(): void {
    for (const column of [this.#ids, this.#senders, this.#at]) column.subarray(0, this.#length).reverse();
  }

  filter(choose: (row: SeenRow) => boolean): SeenRows {
    const chosen = new SeenRows(this.places);
    for (const row of this) if (choose(row)) chosen.addRow(row);
    return chosen;
  }

  /** Whether the condition holds for all places. */
  everyPlace(holds: (place: UserPlace) => boolean): boolean {
    return this.places.every(holds);
  }

  /** The IDs by place, for places that have any. */
  byPlace(): readonly PlacedIds[] {
    const counts = new Uint32Array(this.places.length);
    const at = this.#at.subarray(0, this.#length);
    for (const index of at) counts[index] = (counts[index] ?? 0) + 1;
    // Of their sizes from the start: growing 2,000 lists costs more than all else.
    const lists = this.places.map((place, index) => ({ place, ids: new Array<number>(counts[index] ?? 0), filled: 0 }));
    for (const [row, index] of at.entries()) {
      const list = lists[index];
      if (list !== undefined) list.ids[list.filled++] = this.#ids[row] ?? 0;
    }
    return lists.filter(({ filled }) => filled > 0);
  }

  *[Symbol.iterator](): Generator<SeenRow, void, void> {
    for (let index = 0; index < this.#length; index++) {
      const id = this.#ids[index] ?? 0;
      const place = this.places[this.#at[index] ?? 0];
      if (place === undefined) throw new Error(`Message ${id} has no place.`);
      yield this.#special.get(id) ?? { id, senderId: this.#senders[index] ?? 0, place, traits: undefined };
    }
  }

  #grow(): void {
    const wider = (column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
      const copy = new Uint32Array(2 * column.length);
      copy.set(column);
      return copy;
    };
    this.#ids = wider(this.#ids);
    this.#senders = wider(this.#senders);
    this.#at = wider(this.#at);
  }
}

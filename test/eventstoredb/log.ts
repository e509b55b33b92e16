import { Buffer } from 'node:buffer'; // The global one is looked up slowly where Jest runs this.
import type { ProposedEvent } from './wire.js';
import { encodeEvent, eventIdIn } from './wire.js';

/** A fresh node has written its own records before the first event. */
const FIRST_POSITION = 478;
/** Size of the records that a node writes at a restart. */
const RESTART_BYTES = 342;
/** Size of a record besides its names and its payload. */
const RECORD_OVERHEAD_BYTES = 90;
const SLAB_BYTES = 8 << 20;
/** The revision of a tombstone: the maximum. */
export const TOMBSTONE_REVISION = 0x7fffffffffffffffn;

/** A position in `$all`. Both halves of an event's own are equal; those of a checkpoint may differ. */
export interface Position {
  commit: number;
  prepare: number;
}

/** A column of numbers. A million small objects would cost more time to collect than to use. */
class Column {
  #values = new Float64Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const wider = new Float64Array(2 * this.#length);
      wider.set(this.#values);
      this.#values = wider;
    }
    this.#values[this.#length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }
}

/** Assigns a small number to each name. */
class Names {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  numberOf(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#names.push(name) - 1;
      this.#numbers.set(name, number);
    }
    return number;
  }

  at(number: number): string {
    return this.#names[number]!;
  }
}

/** All events in the order of their commit. An event's ordinal is 0, 1, 2 … */
export class EventLog {
  readonly #positions = new Column();
  readonly #streams = new Column();
  readonly #types = new Column();
  readonly #slabs: Buffer[] = [];
  readonly #slabOf = new Column();
  readonly #starts = new Column();
  readonly #ends = new Column();
  readonly #streamNames = new Names();
  readonly #typeNames = new Names();
  #slabUsed = SLAB_BYTES;
  #end = FIRST_POSITION;

  /** How many events there are. */
  get length(): number {
    return this.#positions.length;
  }

  /** Records the events of one append. Returns the ordinal of the first. */
  append(stream: string, events: readonly ProposedEvent[], firstRevision: number | bigint, createdMs: number): number {
    const first = this.length;
    let revision = firstRevision;
    for (const event of events) {
      const place = { stream, revision, position: this.#end, createdMs };
      this.#positions.push(place.position);
      this.#streams.push(this.#streamNames.numberOf(stream));
      this.#types.push(this.#typeNames.numberOf(event.type));
      this.#store(encodeEvent(event, place));
      const names = stream.length + event.type.length;
      this.#end += RECORD_OVERHEAD_BYTES + names + event.data.length + event.metadata.length;
      revision = typeof revision === 'bigint' ? revision + 1n : revision + 1;
    }
    return first;
  }

  /** A node writes its own records when it starts, so positions jump. */
  restarted(): void {
    this.#end += RESTART_BYTES;
  }

  position(ordinal: number): Position {
    const position = this.#positions.at(ordinal);
    return { commit: position, prepare: position };
  }

  /** Position of the next record. */
  get end(): number {
    return this.#end;
  }

  streamName(ordinal: number): string {
    return this.#streamNames.at(this.#streams.at(ordinal));
  }

  typeName(ordinal: number): string {
    return this.#typeNames.at(this.#types.at(ordinal));
  }

  eventId(ordinal: number): string {
    return eventIdIn(this.message(ordinal));
  }

  /** The `ReadResp` of the event. */
  message(ordinal: number): Buffer {
    return this.#slabs[this.#slabOf.at(ordinal)]!.subarray(this.#starts.at(ordinal), this.#ends.at(ordinal));
  }

  /** Damages the first record that has the text: another one of the same length is in its place. */
  tamper(text: string, other: string): void {
    for (let ordinal = 0; ordinal < this.length; ordinal++) {
      const at = this.message(ordinal).indexOf(text);
      if (at < 0) continue;
      this.message(ordinal).write(other, at);
      return;
    }
    throw new Error('No record has the text.');
  }

  /** The ordinal of the first event at or, with `after`, after a position. */
  ordinalAt({ commit, prepare }: Position, after: boolean): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const position = this.#positions.at(middle);
      const distance = position - commit || position - prepare;
      if (distance < 0 || (after && distance === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #store(message: Buffer): void {
    if (this.#slabUsed + message.length > SLAB_BYTES) {
      this.#slabs.push(Buffer.allocUnsafeSlow(SLAB_BYTES));
      this.#slabUsed = 0;
    }
    message.copy(this.#slabs.at(-1)!, this.#slabUsed);
    this.#slabOf.push(this.#slabs.length - 1);
    this.#starts.push(this.#slabUsed);
    this.#slabUsed += message.length;
    this.#ends.push(this.#slabUsed);
  }
}

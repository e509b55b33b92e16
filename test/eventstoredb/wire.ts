import { Buffer } from 'node:buffer'; // The global one is looked up slowly where Jest runs this.

// The answers to reads are the bulk of what a node sends, so every event is turned into its message once, when it is
// appended, and sent as it is ever after. Generated code would do the same several times slower.

/** An event as a client proposes it. */
export interface ProposedEvent {
  id: string;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
}

/** Where a recorded event stands. `revision` of a tombstone does not fit a `number`. */
export interface Place {
  stream: string;
  revision: number | bigint;
  position: number;
  createdMs: number;
}

const VARINT = 0;
const LENGTH_DELIMITED = 2;
/** The largest event is 1 MiB, and names and types come on top. */
const SCRATCH_BYTES = 4 << 20;
/** `ReadResp.event.event.id.string`: the text of a UUID is the first thing of every message. */
const ID_BYTES = 36;
const NOTHING = new Uint8Array();
const TICKS_PER_MS = '0000';

/** Writes a message from its end to its start, so that the length of what is nested is known when it is due. */
class BackwardWriter {
  readonly #buffer = Buffer.allocUnsafe(SCRATCH_BYTES);
  #at = SCRATCH_BYTES;

  begin(): void {
    this.#at = SCRATCH_BYTES;
  }

  /** The written message, valid until the next `begin`. */
  message(): Buffer {
    return this.#buffer.subarray(this.#at);
  }

  /** Marks the end of a nested message; give it to `nest` when the message has been written. */
  mark(): number {
    return this.#at;
  }

  nest(field: number, mark: number): void {
    this.#varint(mark - this.#at);
    this.#varint(field * 8 + LENGTH_DELIMITED);
  }

  number(field: number, value: number | bigint): void {
    this.#varint(value);
    this.#varint(field * 8 + VARINT);
  }

  text(field: number, value: string): void {
    const mark = this.#at;
    this.#at -= Buffer.byteLength(value);
    this.#buffer.write(value, this.#at);
    this.nest(field, mark);
  }

  bytes(field: number, value: Uint8Array): void {
    const mark = this.#at;
    this.#at -= value.length;
    this.#buffer.set(value, this.#at);
    this.nest(field, mark);
  }

  #varint(value: number | bigint): void {
    let size = 1;
    if (typeof value === 'bigint') {
      for (let rest = value >> 7n; rest > 0n; rest >>= 7n) size++;
      this.#at -= size;
      let rest = value;
      for (let i = 0; i < size; i++, rest >>= 7n) {
        this.#buffer[this.#at + i] = Number(rest & 0x7fn) | (i < size - 1 ? 0x80 : 0);
      }
      return;
    }
    for (let limit = 128; value >= limit; limit *= 128) size++;
    this.#at -= size;
    let rest = value;
    for (let i = 0; i < size; i++) {
      const low = rest % 128;
      this.#buffer[this.#at + i] = i < size - 1 ? low | 0x80 : low;
      rest = (rest - low) / 128;
    }
  }
}

const writer = new BackwardWriter();

function entry(key: string, value: string): void {
  const mark = writer.mark();
  writer.text(2, value);
  writer.text(1, key);
  writer.nest(6, mark);
}

/** The bytes of the `ReadResp` that carries an event. They are scratch memory: copy them before the next call. */
export function encodeEvent(event: ProposedEvent, place: Place): Buffer {
  writer.begin();
  const response = writer.mark();
  writer.number(3, place.position);
  const recorded = writer.mark();
  if (event.data.length > 0) writer.bytes(8, event.data);
  if (event.metadata.length > 0) writer.bytes(7, event.metadata);
  entry('created', `${place.createdMs}${TICKS_PER_MS}`);
  entry('content-type', event.contentType);
  entry('type', event.type);
  writer.number(5, place.position);
  writer.number(4, place.position);
  writer.number(3, place.revision);
  const stream = writer.mark();
  writer.text(3, place.stream);
  writer.nest(2, stream);
  const id = writer.mark();
  writer.text(2, event.id);
  writer.nest(1, id);
  writer.nest(1, recorded);
  writer.nest(1, response);
  return writer.message();
}

/**
 * The bytes of an `event_store.client.WrongExpectedVersion`. `actual` is undefined where there is no stream; `expected`
 * is a revision or one of the words of the protocol.
 */
export function encodeWrongExpectedVersion(
  actual: number | undefined,
  expected: number | 'any' | 'streamExists' | 'noStream',
): Uint8Array {
  const words = { any: 4, streamExists: 5, noStream: 6 };
  writer.begin();
  if (typeof expected === 'number') writer.number(3, expected);
  else writer.bytes(words[expected], NOTHING);
  if (actual === undefined) writer.bytes(2, NOTHING);
  else writer.number(1, actual);
  return Uint8Array.from(writer.message());
}

/** The bytes of a `google.rpc.Status` whose details are a message of the given type. */
export function encodeStatus(code: number, message: string, type: string, details: Uint8Array): Uint8Array {
  writer.begin();
  const packed = writer.mark();
  writer.bytes(2, details);
  writer.text(1, `type.googleapis.com/${type}`);
  writer.nest(3, packed);
  writer.text(2, message);
  writer.number(1, code);
  return Uint8Array.from(writer.message());
}

/** The id of the event in a message of `encodeEvent`. */
export function eventIdIn(message: Buffer): string {
  let at = 0;
  for (let nested = 0; nested < 2; nested++) {
    at++;
    while ((message[at++] ?? 0) >= 0x80);
  }
  at += 4; // Two tags, each with the length of a short field.
  return message.toString('latin1', at, at + ID_BYTES);
}

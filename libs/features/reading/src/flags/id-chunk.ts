/**
 * Sets of message IDs in chunks of 8192 IDs. A chunk is text: runs as pairs of gap and length in base 36 (`0.1.4.w`),
 * or a bitmap in base64 after a `*`, whichever is shorter; so 100,000 read messages take between a few bytes and 18 kB.
 */
export const CHUNK_SIZE = 8192;
const BITMAP_MARK = '*';
const RADIX = 36;
const WHOLE_BYTE = 0xff;
/** A chunk of runs is never longer than the bitmap of a full chunk. */
const BITMAP_LENGTH = Math.ceil(CHUNK_SIZE / 8 / 3) * 4 + BITMAP_MARK.length;

/** Number of the chunk of an ID. */
export function chunkOf(id: number): number {
  return Math.floor(id / CHUNK_SIZE);
}

/** A decoded chunk. */
export class IdChunk {
  readonly #bits: Uint8Array;

  constructor(
    readonly chunk: number,
    encoded?: string,
  ) {
    this.#bits = encoded?.startsWith(BITMAP_MARK)
      ? Uint8Array.from(Buffer.from(encoded.slice(BITMAP_MARK.length), 'base64'))
      : new Uint8Array(CHUNK_SIZE / 8);
    if (encoded !== undefined && !encoded.startsWith(BITMAP_MARK)) this.#fillRuns(encoded);
  }

  has(id: number): boolean {
    const place = this.#placeOf(id);
    return place >= 0 && place < CHUNK_SIZE && ((this.#bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  /** Adds or removes the IDs from `first` to `last` (inclusive) that are in this chunk. */
  set(first: number, last: number, present: boolean): void {
    const until = Math.min(this.#placeOf(last), CHUNK_SIZE - 1);
    for (let place = Math.max(this.#placeOf(first), 0); place <= until; place++) {
      if ((place & 7) === 0 && place + 7 <= until) {
        this.#bits[place >> 3] = present ? WHOLE_BYTE : 0;
        place += 7;
        continue;
      }
      const byte = this.#bits[place >> 3] ?? 0;
      const bit = 1 << (place & 7);
      this.#bits[place >> 3] = present ? byte | bit : byte & ~bit;
    }
  }

  /** Last ID of the run that begins with this ID; the ID before it when it is not in the set. */
  runFrom(id: number): number {
    let last = id - 1;
    while (this.has(last + 1)) {
      const place = this.#placeOf(last + 1);
      last += (place & 7) === 0 && this.#bits[place >> 3] === WHOLE_BYTE ? 8 : 1;
    }
    return last;
  }

  /** The IDs, ascending. */
  ids(): number[] {
    const ids: number[] = [];
    for (const [first, length] of this.#runs())
      for (let place = first; place < first + length; place++) ids.push(this.chunk * CHUNK_SIZE + place);
    return ids;
  }

  /** Encodes to the shorter format; undefined for an empty chunk. */
  encode(): string | undefined {
    const parts: string[] = [];
    let length = 0;
    let end = 0;
    for (const [first, count] of this.#runs()) {
      const part = `${(first - end).toString(RADIX)}.${count.toString(RADIX)}`;
      length += part.length + 1;
      if (length > BITMAP_LENGTH) return this.#bitmap();
      parts.push(part);
      end = first + count;
    }
    return parts.length === 0 ? undefined : parts.join('.');
  }

  #bitmap(): string {
    return BITMAP_MARK + Buffer.from(this.#bits).toString('base64');
  }

  #fillRuns(encoded: string): void {
    const numbers = encoded.split('.').map((part) => parseInt(part, RADIX));
    let place = this.chunk * CHUNK_SIZE;
    for (let index = 0; index + 1 < numbers.length; index += 2) {
      place += numbers[index] ?? 0;
      const length = numbers[index + 1] ?? 0;
      this.set(place, place + length - 1, true);
      place += length;
    }
  }

  *#runs(): Generator<readonly [first: number, length: number]> {
    let first = -1;
    for (let place = 0; place <= CHUNK_SIZE; place++) {
      // Skips bytes in which no run begins or ends: nearly all of them.
      if ((place & 7) === 0 && this.#bits[place >> 3] === (first === -1 ? 0 : WHOLE_BYTE)) {
        place += 7;
        continue;
      }
      const present = place < CHUNK_SIZE && ((this.#bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
      if (present && first === -1) first = place;
      if (!present && first !== -1) {
        yield [first, place - first];
        first = -1;
      }
    }
  }

  #placeOf(id: number): number {
    return id - this.chunk * CHUNK_SIZE;
  }
}

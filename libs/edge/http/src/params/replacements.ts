/** What a decoder puts in the place of bytes that are no UTF-8. It is a character like any other when it was sent. */
export const REPLACEMENT = '\ufffd';
const ENCODED = Buffer.from(REPLACEMENT);

export function replacementsIn(text: string): number {
  return text.split(REPLACEMENT).length - 1;
}

/** Counts the replacement characters that were sent, in UTF-8, in a stream of bytes. */
export class SentReplacements {
  count = 0;
  /** The end of the previous chunk, since a character may be divided between two. */
  #last: Buffer = Buffer.alloc(0);

  read(chunk: Buffer): void {
    const start = Buffer.concat([this.#last, chunk.subarray(0, ENCODED.length - 1)]);
    this.#countIn(start);
    this.#countIn(chunk);
    this.#last = (chunk.length < ENCODED.length ? start : chunk).subarray(1 - ENCODED.length);
  }

  #countIn(bytes: Buffer): void {
    for (let at = bytes.indexOf(ENCODED); at !== -1; at = bytes.indexOf(ENCODED, at + 1)) this.count += 1;
  }
}

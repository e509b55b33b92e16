/** Reads big-endian numbers one after another. Behind the end it reads zeros, and says so. */
export class ByteCursor {
  #isPast = false;

  constructor(
    private readonly bytes: Buffer,
    private at = 0,
  ) {}

  /** @param size from 0 to 8 bytes */
  number(size: number): number {
    const taken = this.#take(size);
    return size > 6 ? Number(taken.readBigUInt64BE()) : size === 0 ? 0 : taken.readUIntBE(0, size);
  }

  text(size: number): string {
    return this.#take(size).toString('latin1');
  }

  skip(size: number): void {
    this.at += size;
  }

  /** Whether something behind the end was read. */
  isPast(): boolean {
    return this.#isPast;
  }

  #take(size: number): Buffer {
    const end = this.at + size;
    if (end > this.bytes.length) this.#isPast = true;
    const taken = this.#isPast ? Buffer.alloc(size) : this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }
}

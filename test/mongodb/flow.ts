import type { Socket } from 'node:net';

/** How bytes go in one direction: shared by all connections, or of one connection alone. */
export interface Pace {
  /** They wait. */
  isHeld: boolean;
  /** Undefined: as fast as they come. */
  bytesPerSecond: number | undefined;
}

export const FREE: Readonly<Pace> = { isHeld: false, bytesPerSecond: undefined };

/** How often slow bytes go on. */
const TICK_MS = 20;
/** With more than this under way the sender is not read any more, as full buffers of a network would have it. */
const UNDER_WAY_BYTES_MAX = 1_000_000;

/** The bytes of one direction of a connection, on their way from one socket to the other. */
export class Flow {
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isEnding = false;
  #awaitsDrain = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly from: Socket,
    private readonly to: Socket,
    private readonly paces: readonly Readonly<Pace>[],
  ) {}

  push(bytes: Buffer): void {
    if (this.#isEnding) return;
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.pump();
  }

  /** Closes in order: after what is under way. */
  end(): void {
    this.#isEnding = true;
    this.pump();
  }

  /** Loses what is under way. */
  stop(): void {
    this.#isEnding = true;
    this.#waiting = [];
    this.#waitingBytes = 0;
    clearTimeout(this.#timer);
  }

  /** Goes on as the paces now say. */
  pump(): void {
    const isHeld = this.paces.some((pace) => pace.isHeld);
    if (!isHeld) this.#go(Math.min(...this.paces.map(({ bytesPerSecond }) => bytesPerSecond ?? Infinity)));
    this.#holdBack();
    if (!isHeld && this.#waitingBytes === 0 && this.#isEnding) this.to.end();
  }

  #go(bytesPerSecond: number): void {
    if (bytesPerSecond === Infinity) this.#write(this.#waitingBytes);
    else if (this.#timer === undefined) this.#tick(Math.max(1, Math.floor((bytesPerSecond * TICK_MS) / 1000)));
  }

  #tick(bytes: number): void {
    if (this.#waitingBytes === 0) return;
    this.#write(Math.min(bytes, this.#waitingBytes));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.pump();
    }, TICK_MS).unref();
  }

  #write(count: number): void {
    if (count === 0) return;
    const bytes = this.#waiting.length === 1 ? (this.#waiting[0] as Buffer) : Buffer.concat(this.#waiting);
    this.#waiting = count < bytes.length ? [bytes.subarray(count)] : [];
    this.#waitingBytes -= count;
    if (!this.to.writable) return;
    if (this.to.write(bytes.subarray(0, count)) || this.#awaitsDrain) return;
    this.#awaitsDrain = true;
    this.to.once('drain', () => {
      this.#awaitsDrain = false;
      this.pump();
    });
  }

  #holdBack(): void {
    const isFull = this.#waitingBytes + this.to.writableLength > UNDER_WAY_BYTES_MAX;
    if (isFull && !this.from.isPaused()) this.from.pause();
    if (!isFull && this.from.isPaused()) this.from.resume();
  }
}

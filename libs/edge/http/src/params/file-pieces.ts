import type { IncomingMessage } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { withRoom } from '#kernel';

/** Each piece is written by a thread, and waits for its turn; the receiver holds one of each upload. */
const PIECE_BYTES = 128 * 1024;
/** A chunk of the body is what is read from a socket at a time. */
const CHUNK_BYTES_MAX = 64 * 1024;

/** Chunks that are parsed in one round of the event loop: a millisecond of work, however many bodies come at a time. */
const CHUNKS_PER_ROUND = 8;

const waiting: BodyFlow[] = [];

function nextRound(): void {
  for (const flow of waiting.splice(0, CHUNKS_PER_ROUND)) flow.read();
  if (waiting.length > 0) setImmediate(nextRound);
}

/** The body of a request on its way to its parser, a chunk at a time and in turns with other bodies. */
export class BodyFlow {
  #isStopped = false;
  #isPaused = false;

  constructor(
    private readonly body: IncomingMessage,
    parser: Writable,
  ) {
    body.on('data', (chunk: Buffer) => {
      if (this.#isStopped) return;
      parser.write(chunk);
      body.pause();
      // What the socket delivered now would be kept in memory. It may have been resumed in this tick, which takes effect after it.
      process.nextTick(() => body.socket.pause());
      if (!this.#isPaused) this.#wait();
    });
    body.once('end', () => {
      body.socket.resume();
      if (!this.#isStopped) parser.end();
    });
  }

  /** No other chunk is parsed until `resume`. */
  pause(): void {
    if (!this.#isStopped) this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#wait();
  }

  /** The rest of the body is read and dropped. */
  stop(): void {
    this.#isStopped = true;
    this.#isPaused = false;
    this.#resume();
  }

  /** Lets the next chunk come, unless it was paused while it waited. */
  read(): void {
    if (!this.#isPaused) this.#resume();
  }

  #resume(): void {
    this.body.socket.resume();
    this.body.resume();
  }

  #wait(): void {
    waiting.push(this);
    if (waiting.length === 1) setImmediate(nextRound);
  }
}

/**
 * The content of a file in pieces, each valid until the next one is asked for. Chunks are copied when they come, and none come
 * while a piece is in use: chunks that wait in memory outlive the collections of young garbage, and full collections stop the
 * server for some 10 ms each.
 */
export class FilePieces implements AsyncIterable<Buffer> {
  #piece = Buffer.alloc(0);
  #filled = 0;
  #isOver = false;
  #error: Error | undefined;
  #wake = (): void => undefined;

  /** @param flow the body that the file is in */
  constructor(
    private readonly file: Readable,
    private readonly flow: Pick<BodyFlow, 'pause' | 'resume'>,
  ) {
    file.on('data', (chunk: Buffer) => {
      this.#add(chunk);
    });
    const over = (error?: Error): void => {
      this.#isOver = true;
      this.#error ??= error;
      this.#wake();
    };
    file.once('end', over).once('error', over).once('close', over);
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Buffer, void, void> {
    try {
      for (;;) {
        while (this.#filled < PIECE_BYTES && !this.#isOver) await new Promise<void>((wake) => (this.#wake = wake));
        if (this.#error !== undefined) throw this.#error;
        const taken = this.#filled;
        if (taken > 0) yield this.#piece.subarray(0, taken);
        // The parser may have passed on what it still had.
        this.#piece.copyWithin(0, taken, this.#filled);
        this.#filled -= taken;
        this.flow.resume();
        if (this.#isOver && this.#filled === 0) return;
      }
    } finally {
      this.file.destroy();
    }
  }

  #add(chunk: Buffer): void {
    const filled = this.#filled + chunk.length;
    // A piece in use stays as it is.
    this.#piece = withRoom(this.#piece, this.#filled, filled, PIECE_BYTES + CHUNK_BYTES_MAX);
    this.#piece.set(chunk, this.#filled);
    this.#filled = filled;
    if (filled < PIECE_BYTES) return;
    this.flow.pause();
    this.#wake();
  }
}

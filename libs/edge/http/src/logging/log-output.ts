import { constants, openSync, write, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';

/** Lines are written in blocks: one write per line would cost more than answering the request. */
const BLOCK_LENGTH = 4096;
const FLUSH_INTERVAL_MS = 1000;
/** Maximum characters waiting for a slow reader: some seconds of a busy server. Further lines are dropped. */
const WAITING_LENGTH_MAX = 1024 * 1024;
/** Pause before a full pipe is tried again. */
const FULL_PIPE_RETRY_MS = 20;
/** Maximum time that the end of the process waits for a slow reader. */
const LAST_FLUSH_MAX_MS = 250;

const NEWLINE = 0x0a;

/** Destination of the bytes. Like the functions of `node:fs`, it may write fewer than given. */
export interface LogSink {
  write(bytes: Buffer, done: (error: NodeJS.ErrnoException | null, written: number) => void): void;
  writeSync(bytes: Buffer): number;
}

/** A block that is being written, and its progress. */
interface Block {
  readonly bytes: Buffer;
  /** Start of the log lines, after the notice of dropped lines. */
  readonly start: number;
  /** Number of dropped lines in its notice. */
  readonly told: number;
  written: number;
}

/**
 * Writes log lines without ever blocking the caller or the end of the process: lines that cannot be written, because
 * the disk is full or the reader is gone or slow, are dropped and counted, and the count is logged when writing works
 * again.
 */
export class LogOutput implements DestinationStream {
  #waiting: string[] = [];
  #waitingLength = 0;
  #block: Block | undefined;
  #isWriting = false;
  /** The last write failed: lines are dropped until one succeeds. */
  #isFailing = false;
  /** The last write ended in the middle of a line. */
  #isTorn = false;
  #dropped = 0;
  #retry: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly sink: LogSink) {}

  /** @param line ends with a newline */
  write(line: string): void {
    this.#flushSoon();
    if (this.#isFailing || this.#waitingLength + line.length > WAITING_LENGTH_MAX) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#waitingLength >= BLOCK_LENGTH) this.flush();
  }

  /** Starts writing the waiting lines, unless a write is in progress. */
  flush(): void {
    if (!this.#isWriting && this.#retry === undefined) this.#goOn();
  }

  /** Writes the waiting lines before it returns, within a quarter of a second. For the end of the process. */
  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#retry);
    // The operating system has the block in progress.
    if (this.#isWriting) this.#block = undefined;
    const deadlineMs = performance.now() + LAST_FLUSH_MAX_MS;
    while ((this.#block ??= this.#nextBlock()) !== undefined) {
      try {
        this.#wrote(this.#block, this.sink.writeSync(this.#block.bytes.subarray(this.#block.written)));
      } catch (error) {
        if (!isPipeFull(error) || performance.now() > deadlineMs) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_RETRY_MS);
      }
    }
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.flush();
      // What cannot be written now is tried again.
      if (this.#isWriting || this.#retry !== undefined || this.#dropped > 0) this.#flushSoon();
    }, FLUSH_INTERVAL_MS).unref();
  }

  #goOn(): void {
    const block = (this.#block ??= this.#nextBlock());
    if (block === undefined) return;
    this.#isWriting = true;
    this.sink.write(block.bytes.subarray(block.written), (error, written) => {
      this.#isWriting = false;
      if (error === null) {
        this.#wrote(block, written);
        if (this.#block !== undefined || this.#waitingLength >= BLOCK_LENGTH) this.#goOn();
      } else if (isPipeFull(error)) {
        this.#retry = setTimeout(() => {
          this.#retry = undefined;
          this.#goOn();
        }, FULL_PIPE_RETRY_MS).unref();
      } else {
        this.#fail(block);
      }
    });
  }

  #nextBlock(): Block | undefined {
    const told = this.#dropped;
    if (told === 0 && this.#waitingLength === 0) return undefined;
    const notice = `${this.#isTorn ? '\n' : ''}${told === 0 ? '' : noticeOf(told)}`;
    const bytes = Buffer.from(notice + this.#waiting.join(''));
    this.#waiting = [];
    this.#waitingLength = 0;
    return { bytes, start: Buffer.byteLength(notice), told, written: 0 };
  }

  #wrote(block: Block, written: number): void {
    this.#isFailing = false;
    block.written += written;
    if (block.written > 0) this.#isTorn = block.bytes[block.written - 1] !== NEWLINE;
    if (block.written < block.bytes.length) return;
    this.#dropped -= block.told;
    this.#block = undefined;
  }

  #fail({ bytes, start, told, written }: Block): void {
    this.#isFailing = true;
    if (written >= start) this.#dropped -= told;
    for (let at = Math.max(start, written); (at = bytes.indexOf(NEWLINE, at)) !== -1; at++) this.#dropped++;
    this.#dropped += this.#waiting.length;
    this.#block = undefined;
    this.#waiting = [];
    this.#waitingLength = 0;
  }
}

function noticeOf(dropped: number): string {
  const msg = `${dropped} log lines were dropped because standard output could not be written.`;
  return `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), dropped, msg })}\n`;
}

function isPipeFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EAGAIN';
}

/**
 * Standard output without blocking a thread on a reader that does not read, which would keep the process from ending.
 * Accessing the stream makes Node switch a pipe or a socket to non-blocking writes.
 */
export function standardOutput(): LogSink {
  ignoreOutputFailures();
  const file = standardOutputFile();
  return {
    write: (bytes, done) => {
      write(file, bytes, done);
    },
    writeSync: (bytes) => writeSync(file, bytes),
  };
}

/** A log that cannot be written must not end the process. */
export function ignoreOutputFailures(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount('error', ignore) === 0) stream.on('error', ignore);
  }
}

function ignore(): void {
  // There is no other output for this error.
}

function standardOutputFile(): number {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    // A suspended terminal would block; a new file description leaves the mode of other users of it unchanged.
    if (isatty(1)) return openSync('/dev/fd/1', O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    // It belongs to another user.
  }
  return 1;
}

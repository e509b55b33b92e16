import { closeSync, constants, copyFileSync, existsSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { DamagedRecord, EventStoreUnavailable } from '../event-store.js';

const POSITION_DIGITS = 16;
const MARK_BYTES = POSITION_DIGITS + 1 + 8 + 1;

/**
 * The position that has been acknowledged at least, in a small file beside the log. SQLite ends its write-ahead log at
 * the first frame that fails its checksum, and takes that for a crash in the middle of a write: flip one bit and
 * acknowledged events are gone without a word. The mark is written after each commit and never synced, so it survives
 * a kill, can only lag behind after a power failure, and a log that ends before it has certainly lost something.
 */
export class AcknowledgedMark {
  readonly #file: number;
  readonly #bytes = Buffer.alloc(MARK_BYTES);

  constructor(readonly path: string) {
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  }

  /** Position of the last event known to have been acknowledged; 0 when nothing is known. */
  read(): number {
    const bytes = Buffer.alloc(MARK_BYTES);
    const length = readSync(this.#file, bytes, 0, MARK_BYTES, 0);
    return positionIn(bytes.subarray(0, length), this.path);
  }

  write(position: number): void {
    this.#bytes.write(encode(position), 'latin1');
    writeSync(this.#file, this.#bytes, 0, MARK_BYTES, 0);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** What the mark beside a log says, without touching it; 0 when there is none, as beside a backup. */
export function acknowledgedPosition(logPath: string): number {
  const path = `${logPath}.acknowledged`;
  return existsSync(path) ? positionIn(readFileSync(path), path) : 0;
}

/** Refuses a log that ends before what was acknowledged, and keeps the evidence. @throws DamagedRecord */
export function assertReaches(head: number, acknowledged: number, logPath: string): void {
  if (head >= acknowledged) return;
  // Closing the log would fold the readable part of the write-ahead log into it and remove the rest.
  const wal = `${logPath}-wal`;
  const kept = `${wal}.damaged`;
  if (existsSync(wal) && !existsSync(kept)) copyFileSync(wal, kept, constants.COPYFILE_EXCL);
  throw new DamagedRecord(
    head + 1,
    `events up to position ${acknowledged} were acknowledged and the log ends at ${head} ` +
      `(after restoring an older backup on purpose, remove ${logPath}.acknowledged)`,
  );
}

function positionIn(bytes: Buffer, path: string): number {
  // A file system may bring back a file that was never synced as empty or as zeros.
  if (bytes.every((byte) => byte === 0)) return 0;
  const text = bytes.toString('latin1');
  const position = Number(text.slice(0, POSITION_DIGITS));
  if (Number.isSafeInteger(position) && text === encode(position)) return position;
  throw new EventStoreUnavailable(
    `The file ${path} is damaged. It only tells where the event log must reach to; check the log, then remove the file.`,
  );
}

function encode(position: number): string {
  const digits = String(position).padStart(POSITION_DIGITS, '0');
  return `${digits} ${crc32(digits).toString(16).padStart(8, '0')}\n`;
}

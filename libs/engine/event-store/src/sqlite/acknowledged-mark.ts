import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { DamagedRecord, EventStoreUnavailable } from '../event-store.js';

const POSITION_DIGITS = 16;
const MARK_BYTES = POSITION_DIGITS + 1 + 8 + 1;

/**
 * Small file beside the log with a position that is certainly acknowledged. SQLite ends its write-ahead log at the
 * first frame whose checksum fails and takes that for a crash during a write: one flipped bit can silently drop
 * acknowledged events. The file is synced once, when it is created, and overwritten in place after each commit without
 * a sync. So it survives a kill, can only lag after a power failure, and is never empty; a log that ends before it has
 * certainly lost events.
 */
export class AcknowledgedMark {
  readonly #file: number;
  readonly #bytes = Buffer.alloc(MARK_BYTES);

  /** @param head end of the log: the start value when the file is missing, as beside a restored backup */
  constructor(
    readonly path: string,
    head: number,
  ) {
    // Created atomically: a kill or a full disk leaves no empty file.
    if (!existsSync(path)) create(path, head);
    // Earlier releases created the file empty, and wrote it with the first event.
    else if (head === 0 && readFileSync(path).length === 0) create(path, head);
    this.#file = openSync(path, constants.O_RDWR);
  }

  /**
   * Position of the last event known to be acknowledged.
   * @throws EventStoreUnavailable when the file is damaged
   */
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

/** Reads the file beside a log without changing it; 0 when it is missing, as beside a backup. */
export function acknowledgedPosition(logPath: string): number {
  const path = `${logPath}.acknowledged`;
  return existsSync(path) ? positionIn(readFileSync(path), path) : 0;
}

/**
 * Refuses a log that ends before the acknowledged position, and keeps the evidence.
 * @throws DamagedRecord
 */
export function assertReaches(head: number, acknowledged: number, logPath: string): void {
  if (head >= acknowledged) return;
  // Closing the log would checkpoint the readable part of the write-ahead log and remove the rest.
  const wal = `${logPath}-wal`;
  const kept = `${wal}.damaged`;
  if (existsSync(wal) && !existsSync(kept)) copyFileSync(wal, kept, constants.COPYFILE_EXCL);
  throw new DamagedRecord(
    head + 1,
    `events up to position ${acknowledged} were acknowledged and the log ends at ${head} ` +
      `(after restoring an older backup on purpose, remove ${logPath}.acknowledged)`,
  );
}

function create(path: string, head: number): void {
  const draft = `${path}.draft`;
  const file = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600);
  try {
    writeSync(file, encode(head), null, 'latin1');
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

function positionIn(bytes: Buffer, path: string): number {
  const text = bytes.toString('latin1');
  const position = Number(text.slice(0, POSITION_DIGITS));
  if (Number.isSafeInteger(position) && text === encode(position)) return position;
  throw new EventStoreUnavailable(
    `The file ${path} is damaged${bytes.length === 0 ? ': it is empty' : ''}. It only tells where the event log must reach to; ` +
      'check the log, then remove the file.',
  );
}

function encode(position: number): string {
  const digits = String(position).padStart(POSITION_DIGITS, '0');
  return `${digits} ${crc32(digits).toString(16).padStart(8, '0')}\n`;
}

import { crc32 } from 'node:zlib';
import { DamagedRecord, type RecordedEvent } from '../event-store.js';
import { liftAt, NO_METADATA, type PreparedEvent } from '../prepared-event.js';
import { ORIGIN_FIELD } from '../origins/origin-text.js';
import type { EventRegistry } from '../registry.js';
import type { JsonObject } from '#kernel';

/** A row of `events` as it is written, in the order of `EVENT_COLUMNS`. */
export type EventRow = [
  position: number,
  streamId: number,
  revision: number,
  eventId: Buffer,
  typeId: number,
  data: string,
  metadata: string | null,
  recordedAtMs: number,
  checksum: number,
];

export const EVENT_COLUMNS = [
  'position',
  'stream_id',
  'revision',
  'event_id',
  'type_id',
  'data',
  'metadata',
  'recorded_at_ms',
  'checksum',
] as const;

/** A row of `events` as it is read. */
export type ReadRow = [
  position: number,
  streamId: number,
  revision: number,
  eventId: Buffer,
  typeId: number,
  data: Buffer,
  metadata: Buffer | null,
  recordedAtMs: number,
  checksum: number,
];

/**
 * Columns as they are read. In a damaged file any column can hold text that is not UTF-8, at which the driver aborts
 * the process; numbers and bytes are safe to read, and the checksum shows that they are wrong. The same holds for the
 * names of columns, which is why the query names each one.
 */
export const READ_COLUMNS = EVENT_COLUMNS.map((column) => {
  const isBytes = column === 'event_id' || column === 'data' || column === 'metadata';
  return `CAST(${column} AS ${isBytes ? 'BLOB' : 'INTEGER'}) AS ${column}`;
}).join(', ');

/** An event as stored, verified by its checksum. */
export interface VerifiedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Buffer;
  readonly metadata: Buffer | null;
}

export function uuidBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

export function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Covers every field of a record, so that no change goes unnoticed. Names and JSON text contain no line breaks. */
export function checksumOf(
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  recordedAtMs: number,
  metadata: string | Buffer | null,
  data: string | Buffer,
): number {
  const head = crc32(`${position}\n${stream}\n${revision}\n${id}\n${type}\n${recordedAtMs}\n`);
  return crc32(data, metadata === null ? head : crc32('\n', crc32(metadata, head)));
}

/**
 * Decodes a row after verifying its checksum.
 * @throws DamagedRecord
 */
export function verifyRow(row: ReadRow, stream: string | undefined, type: string | undefined): VerifiedEvent {
  const [position, , revision, eventId, , data, metadata, recordedAtMs, checksum] = row;
  if (stream === undefined) throw new DamagedRecord(position, 'its stream has no name');
  if (type === undefined) throw new DamagedRecord(position, 'its type has no name');
  // A damaged file can hold null in any column.
  if ((eventId as Buffer | null)?.length !== 16) throw new DamagedRecord(position, 'its id is no UUID');
  if ((data as Buffer | null) === null) throw new DamagedRecord(position, 'it has no data');
  const id = uuidText(eventId);
  if (checksumOf(position, stream, revision, id, type, recordedAtMs, metadata, data) === checksum) {
    return { id, type, data, metadata };
  }
  throw new DamagedRecord(position, 'its checksum does not fit its content');
}

/**
 * Converts a verified event to the one that readers get: parsed again, in the newest shape.
 * @throws DamagedRecord, UnreadableEvent
 */
export function toRecorded(
  position: number,
  stream: string,
  revision: number,
  event: PreparedEvent | VerifiedEvent,
  recordedAtMs: number,
  registry: EventRegistry,
): RecordedEvent {
  const data = parse(position, event.data);
  const metadata = event.metadata === null ? NO_METADATA : metadataIn(position, event.metadata);
  const lifted = liftAt({ position, stream, id: event.id }, event.type, data, registry);
  return { position, stream, revision, id: event.id, type: lifted.type, data: lifted.data, metadata, recordedAtMs };
}

/** Metadata that are nothing but an origin, as they nearly always are, are stored as its text alone. */
const ORIGIN_ALONE = /^\{"o":"([^"\\{]+)"\}$/;
const BRACE = '{'.charCodeAt(0);

/** Metadata as they are stored. */
export function shortMetadata(metadata: string | null): string | null {
  return metadata === null ? null : (ORIGIN_ALONE.exec(metadata)?.[1] ?? metadata);
}

function metadataIn(position: number, stored: string | Buffer): JsonObject {
  const first = typeof stored === 'string' ? stored.charCodeAt(0) : stored[0];
  return first === BRACE ? (parse(position, stored) as JsonObject) : { [ORIGIN_FIELD]: stored.toString() };
}

function parse(position: number, text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString()) as unknown;
  } catch {
    throw new DamagedRecord(position, 'its text is not JSON');
  }
}

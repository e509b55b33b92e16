import type { RecordedEvent } from '#event-store';
import type { JsonObject } from '#kernel';

/** Events and bytes of one type. */
export interface TypeCount {
  events: number;
  /** Of data and metadata as JSON. */
  bytes: number;
}

/** What the log has, of a day or of all: at most a few kilobytes, since types are few. */
export interface LogCounts {
  /** Position up to which events are counted: one that is read again is not counted twice. */
  through: number;
  /** Bytes of uploaded files, less those of removed ones. */
  fileBytes: number;
  readonly types: Map<string, TypeCount>;
}

function noCounts(): LogCounts {
  return { through: 0, fileBytes: 0, types: new Map() };
}

/** The day of a moment, in UTC: `2026-01-31`. @param ms since the epoch */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Bytes of an event, as they are counted. */
export function bytesOf({ data, metadata }: RecordedEvent): number {
  return Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata));
}

/** Counts an event, unless it is counted already. @param bytes as `bytesOf` says */
export function count(counts: LogCounts, { position, type, data }: RecordedEvent, bytes: number): void {
  if (position <= counts.through) return;
  counts.through = position;
  let ofType = counts.types.get(type);
  if (ofType === undefined) counts.types.set(type, (ofType = { events: 0, bytes: 0 }));
  ofType.events++;
  ofType.bytes += bytes;
  if (type === 'file.uploaded.v1') counts.fileBytes += (data as { readonly size: number }).size;
  if (type === 'file.removed.v1') counts.fileBytes -= (data as { readonly size: number }).size;
}

export function totalOf({ types }: LogCounts): TypeCount {
  const total = { events: 0, bytes: 0 };
  for (const { events, bytes } of types.values()) {
    total.events += events;
    total.bytes += bytes;
  }
  return total;
}

/** As it is stored: names of types have dots, which not every store takes as names of fields. */
export function stored({ through, fileBytes, types }: LogCounts): JsonObject {
  return { through, fileBytes, types: [...types].map(([type, { events, bytes }]) => [type, events, bytes]) };
}

export function readStored(value: JsonObject | undefined): LogCounts {
  if (value === undefined) return noCounts();
  const rows = value['types'] as readonly (readonly [string, number, number])[];
  return {
    through: value['through'] as number,
    fileBytes: value['fileBytes'] as number,
    types: new Map(rows.map(([type, events, bytes]) => [type, { events, bytes }])),
  };
}

import type { JsonObject } from '#kernel';
import { APPEND_BYTES_MAX, AppendTooLarge, type NewEvent } from './event-store.js';
import { type EventRegistry, UnreadableEvent } from './registry.js';

/**
 * An event as text, checked and ready to be stored. It is a copy, so later changes to the caller's objects have no
 * effect.
 */
export interface PreparedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  /** Null when the event has no metadata. */
  readonly metadata: string | null;
  readonly recordedAtMs: number | undefined;
}

export const NO_METADATA: JsonObject = Object.freeze({});

/**
 * Size of an event besides its data and metadata, as EventStoreDB counts it: its type's name twice, the time of a copy.
 */
const EVENT_OVERHEAD_BYTES = 48;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** EventStoreDB takes it for a missing id. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** @throws UnreadableEvent when the event could not be read again */
export function prepareEvent(event: NewEvent, registry: EventRegistry): PreparedEvent {
  const id = UUID.test(event.id) ? event.id : event.id.toLowerCase();
  if (!UUID.test(id) || id === NIL_UUID) {
    throw new UnreadableEvent('The id of an event is a UUID in its text form, and not all zeros.');
  }
  const { type, recordedAtMs } = event;
  if (recordedAtMs !== undefined && !Number.isSafeInteger(recordedAtMs)) {
    throw new UnreadableEvent('The time of an event is a whole number of milliseconds.');
  }
  registry.check(type, event.data);
  const metadata = event.metadata === undefined ? '{}' : JSON.stringify(event.metadata);
  const data = JSON.stringify(event.data);
  return { id, type, data, metadata: metadata === '{}' ? null : metadata, recordedAtMs };
}

/** Bytes that the event counts towards `APPEND_BYTES_MAX`. */
export function bytesOf({ type, data, metadata }: PreparedEvent): number {
  return overheadOf(type) + Buffer.byteLength(data) + Buffer.byteLength(metadata ?? '');
}

/** @throws AppendTooLarge */
export function assertFits(stream: string, events: readonly PreparedEvent[], textLength: number): void {
  // A character has at most three bytes, so most appends need no exact measuring.
  let bytes = textLength * 3;
  for (const { type } of events) bytes += overheadOf(type);
  if (bytes <= APPEND_BYTES_MAX) return;
  bytes = 0;
  for (const event of events) bytes += bytesOf(event);
  if (bytes > APPEND_BYTES_MAX) throw new AppendTooLarge(stream);
}

/**
 * Upcasts a recorded event to its newest shape.
 * @throws UnreadableEvent that names the place
 */
export function liftAt(
  { position, stream, id }: { readonly position: number; readonly stream: string; readonly id: string },
  type: string,
  data: unknown,
  registry: EventRegistry,
): { readonly type: string; readonly data: unknown } {
  try {
    return registry.lift(type, data);
  } catch (error) {
    const reason = error instanceof UnreadableEvent ? error.message : `The event type ${type} cannot be lifted.`;
    const place = `It stands at position ${position} of the log, in ${stream} (${id}).`;
    throw new UnreadableEvent(`${reason} ${place}`, undefined, reason);
  }
}

function overheadOf(type: string): number {
  return EVENT_OVERHEAD_BYTES + 2 * type.length;
}

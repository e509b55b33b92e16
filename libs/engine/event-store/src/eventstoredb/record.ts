import type { JsonObject } from '#kernel';
import {
  type Checkpoint,
  DamagedRecord,
  EventStoreUnavailable,
  ForeignCheckpoint,
  type RecordedEvent,
} from '../event-store.js';
import { liftAt, NO_METADATA, type PreparedEvent } from '../prepared-event.js';
import { type EventRegistry, UnreadableEvent } from '../registry.js';
import type { DriverRecord, Position } from './driver.js';

/** Client event ids are positions times 1024 and must stay exact integers. The limit is a log of 8 TiB. */
const POSITION_MAX = Math.floor(Number.MAX_SAFE_INTEGER / 1024);

/** Metadata field of a copied event: when the other store recorded it. Readers see it as `recordedAtMs`. */
const RECORDED_AT = 'scrollback.recordedAtMs';

/** An event as the client appends it. */
export interface ProposedEvent {
  readonly id: string;
  readonly contentType: 'application/json';
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly metadata: Record<string, unknown> | undefined;
}

/** Prepare positions of the rare events, from legacy transactions, whose prepare and commit positions differ. */
const prepares = new WeakMap<RecordedEvent, bigint>();

export function proposed({ id, type, data, metadata, recordedAtMs }: PreparedEvent): ProposedEvent {
  const own = metadata === null ? undefined : (JSON.parse(metadata) as Record<string, unknown>);
  return {
    id,
    contentType: 'application/json',
    type,
    data: JSON.parse(data) as Record<string, unknown>,
    metadata: recordedAtMs === undefined ? own : { ...own, [RECORDED_AT]: recordedAtMs },
  };
}

/**
 * Refuses metadata that would be read back as something else.
 * @throws UnreadableEvent
 */
export function assertMetadata({ metadata }: PreparedEvent): void {
  if (metadata?.includes(RECORDED_AT) === true && RECORDED_AT in (JSON.parse(metadata) as object)) {
    throw new UnreadableEvent(`The metadata name ${RECORDED_AT} belongs to the event store.`);
  }
}

/**
 * Converts a position to a number.
 * @throws EventStoreUnavailable beyond the maximum
 */
export function positionOf({ commit }: Position): number {
  if (commit > POSITION_MAX)
    throw new EventStoreUnavailable(`The event store's log has grown beyond position ${POSITION_MAX}.`);
  return Number(commit);
}

/**
 * Converts a record to the event in its newest shape.
 * @throws DamagedRecord, UnreadableEvent
 */
export function toRecorded(record: DriverRecord, namespace: string, registry: EventRegistry): RecordedEvent {
  const at = placeOf(record);
  const position = positionOf(at);
  if (!record.isJson || !isObject(record.data)) throw new DamagedRecord(position, 'its data are no JSON object');
  const stream = record.streamId.slice(namespace.length);
  const id = record.id.toLowerCase();
  const { type, data } = liftAt({ position, stream, id }, record.type, record.data, registry);
  assertShape(position, type, data, registry);
  const { metadata, recordedAtMs } = metadataOf(position, record);
  const recorded: RecordedEvent = {
    position,
    stream,
    revision: Number(record.revision),
    id,
    type,
    data,
    metadata,
    recordedAtMs,
  };
  if (at.prepare !== at.commit) prepares.set(recorded, at.prepare);
  return recorded;
}

export function placeOf({ position, streamId, revision }: DriverRecord): Position {
  // Servers before 22 return no position for events of a single stream.
  if (position !== undefined) return position;
  throw new EventStoreUnavailable(`The event store gives no position of ${streamId}/${revision}: it is too old.`);
}

/** Checks on reading too, since anybody with access to the server can write to these streams. */
function assertShape(position: number, type: string, data: unknown, registry: EventRegistry): void {
  try {
    registry.check(type, data);
  } catch (error) {
    throw new DamagedRecord(position, error instanceof Error ? error.message : 'its data do not fit their type');
  }
}

function metadataOf(
  position: number,
  { metadata, created }: DriverRecord,
): { readonly metadata: JsonObject; readonly recordedAtMs: number } {
  const createdMs = created.getTime();
  if (metadata === undefined) return { metadata: NO_METADATA, recordedAtMs: createdMs };
  if (!isObject(metadata)) throw new DamagedRecord(position, 'its metadata are no JSON object');
  const { [RECORDED_AT]: copiedMs, ...own } = metadata as Record<string, unknown>;
  if (copiedMs === undefined) return { metadata: metadata as JsonObject, recordedAtMs: createdMs };
  if (typeof copiedMs !== 'number') throw new DamagedRecord(position, 'its time is no number');
  return { metadata: Object.keys(own).length === 0 ? NO_METADATA : (own as JsonObject), recordedAtMs: copiedMs };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}

/** A place to resume from. The event id tells whether the log is still the same. */
export interface ResumePoint {
  readonly at: Position;
  readonly id: string;
}

export function checkpointOf(event: RecordedEvent): Checkpoint {
  return `${event.position}/${prepares.get(event) ?? event.position}@${event.id}`;
}

const CHECKPOINT = /^(\d{1,19})\/(\d{1,19})@([\da-f-]{36})$/;

/**
 * Parses a checkpoint.
 * @throws ForeignCheckpoint when it is not a checkpoint of such a log
 */
export function resumePoint(checkpoint: Checkpoint): ResumePoint {
  const [, commit, prepare, id] = CHECKPOINT.exec(checkpoint) ?? [];
  if (commit !== undefined && prepare !== undefined && id !== undefined)
    return { at: { commit: BigInt(commit), prepare: BigInt(prepare) }, id };
  throw new ForeignCheckpoint(Number.parseInt(checkpoint, 10) || 0);
}

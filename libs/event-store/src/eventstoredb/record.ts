import type { JsonObject } from '#kernel';
import { type Checkpoint, DamagedRecord, EventStoreUnavailable, type Recorded } from '../event-store.js';
import { liftAt, NO_METADATA, type PreparedEvent } from '../prepared-event.js';
import { type EventRegistry, UnreadableEvent } from '../registry.js';
import type { DriverRecord, Position } from './driver.js';

/** Client events' ids are positions times 1024, and have to stay exact. It is a log of 8 TiB. */
const POSITION_MAX = Math.floor(Number.MAX_SAFE_INTEGER / 1024);

/** Metadata of an event that was copied from another store: when that one took it. Readers see it as `recordedAtMs`. */
const RECORDED_AT = 'scrollback.recordedAtMs';

/** What the client appends. */
export interface ProposedEvent {
  readonly id: string;
  readonly contentType: 'application/json';
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly metadata: Record<string, unknown> | undefined;
}

/** The second halves of positions, for the rare events where it is not the same as the first: legacy transactions. */
const prepares = new WeakMap<Recorded, bigint>();

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

/** Refuses metadata that would be read back as something else. @throws UnreadableEvent */
export function assertMetadata({ metadata }: PreparedEvent): void {
  if (metadata?.includes(RECORDED_AT) === true && RECORDED_AT in (JSON.parse(metadata) as object)) {
    throw new UnreadableEvent(`The metadata name ${RECORDED_AT} belongs to the event store.`);
  }
}

/** @throws EventStoreUnavailable beyond what a position can say */
export function positionOf({ commit }: Position): number {
  if (commit > POSITION_MAX)
    throw new EventStoreUnavailable(`The event store's log has grown beyond position ${POSITION_MAX}.`);
  return Number(commit);
}

/** The event as readers see it, in the newest shape. @throws DamagedRecord, UnreadableEvent */
export function toRecorded(record: DriverRecord, namespace: string, registry: EventRegistry): Recorded {
  const at = placeOf(record);
  const position = positionOf(at);
  if (!record.isJson || !isObject(record.data)) throw new DamagedRecord(position, 'its data are no JSON object');
  const { type, data } = liftAt(position, record.type, record.data, registry);
  assertShape(position, type, data, registry);
  const { metadata, recordedAtMs } = metadataOf(position, record);
  const recorded: Recorded = {
    position,
    stream: record.streamId.slice(namespace.length),
    revision: Number(record.revision),
    id: record.id.toLowerCase(),
    type,
    data,
    metadata,
    recordedAtMs,
  };
  if (at.prepare !== at.commit) prepares.set(recorded, at.prepare);
  return recorded;
}

export function placeOf({ position, streamId, revision }: DriverRecord): Position {
  // Servers before 22 give none with the events of a single stream.
  if (position !== undefined) return position;
  throw new EventStoreUnavailable(`The event store gives no position of ${streamId}/${revision}: it is too old.`);
}

/** Anybody with access to the server can write to our streams, so what is read is checked like what is written. */
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

/** Where a reader goes on. The id tells whether it is still the same log. */
export interface ResumePoint {
  readonly at: Position;
  readonly id: string;
}

export function checkpointOf(event: Recorded): Checkpoint {
  return `${event.position}/${prepares.get(event) ?? event.position}@${event.id}`;
}

const CHECKPOINT = /^(\d{1,19})\/(\d{1,19})@([\da-f-]{36})$/;

/** @throws DamagedRecord when it is no checkpoint of such a log */
export function resumePoint(checkpoint: Checkpoint): ResumePoint {
  const [, commit, prepare, id] = CHECKPOINT.exec(checkpoint) ?? [];
  if (commit !== undefined && prepare !== undefined && id !== undefined)
    return { at: { commit: BigInt(commit), prepare: BigInt(prepare) }, id };
  throw anotherLog(Number.parseInt(checkpoint, 10) || 0);
}

export function anotherLog(position: number): DamagedRecord {
  return new DamagedRecord(
    position,
    'a reader has seen another event there (after restoring or replacing the log on purpose, delete the read models)',
  );
}

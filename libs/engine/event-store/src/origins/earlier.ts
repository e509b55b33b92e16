import { createHash } from 'node:crypto';
import type { JsonObject } from '#kernel';
import type { RecordedEvent } from '../event-store.js';

/** Field of an event's metadata with what there was of what the event changes. */
const EARLIER_FIELD = 'was';

/** Of one field, and of all together, as JSON; what is larger is recorded by its size and its SHA-256. */
const FIELD_LENGTH_MAX = 8_192;
const LENGTH_MAX = 65_536;

/** Metadata that say what there was; none when there was nothing. */
export function withEarlier(earlier: object | undefined): JsonObject | undefined {
  if (earlier === undefined) return undefined;
  const bounded = Object.fromEntries(
    Object.entries(earlier).map(([name, value]) => [name, boundedTo(FIELD_LENGTH_MAX, value)]),
  );
  return { [EARLIER_FIELD]: boundedTo(LENGTH_MAX, bounded) } as JsonObject;
}

/** What there was of the fields that the event changes, by their names in its data; undefined when it is not recorded. */
export function earlierIn({
  metadata,
}: Pick<RecordedEvent, 'metadata'>): Readonly<Record<string, unknown>> | undefined {
  return metadata[EARLIER_FIELD] as Readonly<Record<string, unknown>> | undefined;
}

/**
 * A value as `withEarlier` records it as one field, for states that keep it until then: no more of it need be in memory.
 * @param lengthMax of its JSON, when less is enough
 */
export function keptEarlier(value: unknown, lengthMax = FIELD_LENGTH_MAX): unknown {
  return boundedTo(lengthMax, value);
}

function boundedTo(lengthMax: number, value: unknown): unknown {
  const text = JSON.stringify(value);
  if (text.length <= lengthMax) return value;
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

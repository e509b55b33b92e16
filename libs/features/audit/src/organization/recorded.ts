import { earlierIn, type RecordedEvent } from '#event-store';
import type { Directory } from '#people';
import { type Row, rowOf } from '../rows.js';

/** Fields of events that hold credentials, whatever the type. A test compares them with the schemas. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set(['passwordHash', 'hash', 'token', 'tokens', 'key', 'config']);
/** What rows tell by fields of their own, or what is no matter of the past. */
const APART: ReadonlySet<string> = new Set(['by', 'at', 'entails', ...SECRET_FIELDS]);

/** A line with what an event recorded, and what `was` before where the state had it, both without credentials. */
export function recordedRow(directory: Directory, event: RecordedEvent<object>, more: object = {}): Row {
  const earlier = earlierIn(event);
  const was = earlier === undefined ? undefined : without(earlier, SECRET_FIELDS);
  return rowOf(directory, event, 'change', { ...more, recorded: without(event.data, APART), was });
}

function without(value: object, names: ReadonlySet<string>): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
      if (names.has(name)) return [];
      const isNested = typeof field === 'object' && field !== null && !Array.isArray(field);
      return [[name, isNested ? without(field, SECRET_FIELDS) : field]];
    }),
  );
}

import type { RecordedEvent } from '#event-store';
import { rangesOf, type Ranges } from '#kernel';
import type { Projection } from '#read-store';
import { timeOf } from '../rows.js';
import {
  leavingMessages,
  leftSubject,
  MESSAGES_LEAVE,
  MESSAGES_NAMED,
  namedMessages,
  namedParts,
  type Naming,
  ORGANIZATION_SUBJECTS,
  placeLeft,
} from './named-subjects.js';
import {
  auditPlacesCollection,
  keyOf,
  PART_SIZE,
  type PlaceRow,
  subjectOf,
  subjects,
  WIDE_PART_SIZE,
} from './place-row.js';

/** Rows of where events about a subject stand. A send has none, nor has what is in the stream of one message alone. */
export const auditPlacesProjection: Projection<PlaceRow> = {
  collection: auditPlacesCollection,
  handles: new Set([...MESSAGES_NAMED, ...MESSAGES_LEAVE, ...Object.keys(ORGANIZATION_SUBJECTS)]),
  // Each event has keys of its own, since they end with its position.
  keys: (event) => keysOf(event as RecordedEvent<Naming>).map((key) => ({ key, fresh: true })),
  evolve: (_, event, key) => rowAt(event as RecordedEvent<Naming>, String(key)),
};

function keysOf({ type, position, data }: RecordedEvent<Naming>): readonly string[] {
  const named = ORGANIZATION_SUBJECTS[type]?.(data) ?? [];
  const parts = MESSAGES_NAMED.has(type) ? namedParts(data) : [];
  return [...[...named, ...parts].map((subject) => keyOf(subject, position)), ...leavingKeys({ type, position, data })];
}

function leavingKeys({ type, position, data }: Pick<RecordedEvent<Naming>, 'type' | 'position' | 'data'>): string[] {
  if (!MESSAGES_LEAVE.has(type)) return [];
  const left = leftSubject(data);
  // What leaves a direct conversation is found in its own stream, unless several do so together.
  if (left === undefined)
    return data.ids === undefined ? [] : leavingMessages(data).map((id) => keyOf(subjects.leaving(id), position));
  return leavingMessages(data).flatMap((id) => [
    keyOf(subjects.leaving(id), position),
    keyOf(left, position, `:${id}`),
  ]);
}

function rowAt(event: RecordedEvent<Naming>, key: string): PlaceRow {
  const { position, stream, revision, data } = event;
  const row = { position, stream, revision, at: timeOf(event) };
  const subject = subjectOf(key);
  const [kind, id = ''] = subject.split(':', 2);
  const from = placeLeft(data);
  if (kind === 'messages') return { ...row, ids: withinPart(data, Number(id), PART_SIZE) };
  if (kind === 'many-messages') return { ...row, ids: withinPart(data, Number(id), WIDE_PART_SIZE) };
  if (kind === 'leaving') return { ...row, messageId: Number(id), ...(from === undefined ? {} : { from }) };
  if (kind === 'left' && from !== undefined)
    return { ...row, messageId: Number(key.slice(key.lastIndexOf(':') + 1)), from };
  return row;
}

/** The messages that the event names in a part. */
function withinPart(data: Naming, part: number, size: number): Ranges {
  const [first, last] = [part * size, part * size + size - 1];
  if (data.ids === undefined) return rangesOf(namedMessages(data).filter((id) => first <= id && id <= last));
  return data.ids
    .filter(([from, to]) => from <= last && to >= first)
    .map(([from, to]) => [Math.max(from, first), Math.min(to, last)] as const);
}

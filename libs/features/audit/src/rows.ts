import type { RecordedEvent } from '#event-store';
import type { Directory } from '#people';
import { actorOf, type WireActor } from './actor.js';

/** An event whose data are known by its type. */
export type LogEvent = RecordedEvent<object>;

/** A line of an answer. */
export interface Row {
  /** What the line tells, such as `edited`. */
  readonly type: string;
  /** Seconds since the epoch. */
  readonly at: number;
  /** Place of its event in the log. */
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  /** Type of the event. */
  readonly event: string;
  readonly actor: WireActor;
  readonly [more: string]: unknown;
}

/** The line about a record that cannot be read, and without which the answer was made. */
export interface DamageRow {
  readonly type: 'damaged';
  /** 0 when it is not known. */
  readonly position: number;
  /** Position of the last one, of several in a row. */
  readonly through: number | undefined;
  readonly stream: string | undefined;
  readonly revision: number | undefined;
  /** A clause such as `it is missing`; without contents. */
  readonly reason: string;
  readonly actor: WireActor;
}

/** The line about an event. */
export function rowOf(directory: Directory, event: LogEvent, type: string, more: object = {}): Row {
  const { position, stream, revision } = event;
  return {
    type,
    at: timeOf(event),
    position,
    stream,
    revision,
    event: event.type,
    actor: actorOf(directory, event),
    ...more,
  };
}

/** The time that an event tells, in seconds since the epoch: that of the decision, which imports and copies keep. */
export function timeOf({ data, recordedAtMs }: Pick<RecordedEvent<object>, 'data' | 'recordedAtMs'>): number {
  const { at, atMs } = data as Timed;
  return at ?? Math.floor((atMs ?? recordedAtMs) / 1000);
}

interface Timed {
  readonly at?: number;
  readonly atMs?: number;
}

import { originOf, type RecordedEvent } from '#event-store';
import { described, integer, named, nullable, object, text, type Wire } from '#wire';

/** An event without its contents. */
export const EventRowSchema = named(
  'OperatorEvent',
  object({
    position: integer,
    stream: text,
    revision: integer,
    type: text,
    at: described(integer, 'When it was recorded: UNIX seconds.'),
    actor: described(text, '`user`, `bot`, `visitor`, `server`, `operator` or `unknown`.'),
    actor_id: described(nullable(integer), 'Of a user or bot.'),
    bytes: described(integer, 'Characters of its data as JSON.'),
  }),
);
export type EventRow = Wire<typeof EventRowSchema>;

export function rowOf(event: RecordedEvent<object>): EventRow {
  const { position, stream, revision, type, data, recordedAtMs } = event;
  const { by } = originOf(event);
  return {
    position,
    stream,
    revision,
    type,
    at: Math.floor(recordedAtMs / 1000),
    actor: by.kind,
    actor_id: 'userId' in by ? by.userId : null,
    bytes: JSON.stringify(data).length,
  };
}

export interface EventFilter {
  /** Begin of the type. */
  readonly type?: string | undefined;
  /** Begin of the stream's name. */
  readonly stream?: string | undefined;
  /** A kind of actor, or the ID of a user. */
  readonly actor?: string | undefined;
}

export function fits(row: EventRow, { type, stream, actor }: EventFilter): boolean {
  if (type !== undefined && !row.type.startsWith(type)) return false;
  if (stream !== undefined && !row.stream.startsWith(stream)) return false;
  return actor === undefined || actor === row.actor || actor === String(row.actor_id);
}

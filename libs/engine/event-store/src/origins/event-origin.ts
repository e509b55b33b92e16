import type { Actor } from '#kernel';
import type { RecordedEvent } from '../event-store.js';
import { ACTORS } from './actors.js';
import { ORIGIN_FIELD, parseOrigin, type RecordedOrigin } from './origin-text.js';

/** Who acted, as far as the event says: events from before origins were recorded may not. */
export interface EventOrigin extends Omit<RecordedOrigin, 'by'> {
  /** Of an event without an origin, also a bot is a `user`. */
  readonly by: Actor | { readonly kind: 'unknown' };
}

/** Who did what an event records, in which request or because of which event. */
export function originOf({
  type,
  data,
  metadata,
}: Pick<RecordedEvent<object>, 'type' | 'data' | 'metadata'>): EventOrigin {
  const named = actorIn(type, data as Data);
  const recorded = parseOrigin(metadata[ORIGIN_FIELD], () => (named.kind === 'unknown' ? undefined : named));
  if (recorded === undefined) return { by: named };
  // Visitors who prove who they are, by the link of a mail, are known to the event alone.
  return recorded.by.kind === 'visitor' && named.kind === 'user' ? { ...recorded, by: named } : recorded;
}

/** The text of an origin in the metadata of an event, which leaves out a user whom the data name. */
export function originTextIn(type: string, data: object, text: string): string {
  const dot = text.indexOf('.');
  if (dot < 1) return text;
  const named = actorIn(type, data as Data);
  return named.kind === 'user' && text.slice(0, dot) === String(named.userId) ? text.slice(dot) : text;
}

type Data = Readonly<Record<string, unknown>>;

/** Who acted by the data of the event: all that older events say. */
function actorIn(type: string, data: Data): EventOrigin['by'] {
  const actor = ACTORS[type] ?? 'by';
  if (actor === 'server' || actor === 'operator' || actor === 'unknown') return { kind: actor };
  const userId = data[actor];
  if (typeof userId === 'number') return { kind: 'user', userId };
  return { kind: userId === null ? 'server' : 'unknown' };
}

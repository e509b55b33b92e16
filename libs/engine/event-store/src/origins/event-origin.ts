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
  const recorded = parseOrigin(metadata[ORIGIN_FIELD]);
  if (recorded !== undefined && recorded.by.kind !== 'visitor') return recorded;
  const by = actorIn(type, data as Readonly<Record<string, unknown>>);
  // Visitors who prove who they are, by the link of a mail, are known to the event alone.
  return recorded === undefined || by.kind === 'user' ? { ...recorded, by } : recorded;
}

/** Who acted by the data of the event: all that older events say. */
function actorIn(type: string, data: Readonly<Record<string, unknown>>): EventOrigin['by'] {
  const actor = ACTORS[type] ?? 'by';
  if (actor === 'server' || actor === 'operator' || actor === 'unknown') return { kind: actor };
  const userId = data[actor];
  if (typeof userId === 'number') return { kind: 'user', userId };
  return { kind: userId === null ? 'server' : 'unknown' };
}

import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Owner of the drafts. */
const userId = Id;

/** Recipients of the message, as far as the user has chosen them. */
const Addressee = Type.Union([
  exactly({ kind: Type.Literal('channel'), channelId: Id, topic: Type.String() }),
  /** The others of the conversation, ascending; the user alone for notes to oneself. */
  exactly({ kind: Type.Literal('direct'), userIds: Type.Array(Id, { minItems: 1 }) }),
  exactly({ kind: Type.Literal('nobody') }),
]);

const Draft = exactly({
  /** Counts up by user from 1, and is never used again. */
  draftId: Id,
  addressee: Addressee,
  /** Markdown. */
  content: Type.String(),
  /** Time of the last edit by the clock of the user's client; seconds since the epoch. */
  timestamp: Type.Integer({ minimum: 0 }),
});

/** The drafts that one request created: all of them or none. */
export const draftsAdded = eventType(
  'drafts.added.v1',
  exactly({ userId, drafts: Type.Array(Draft, { minItems: 1 }), at: At }),
);
/** The draft after the change. */
export const draftChanged = eventType('draft.changed.v1', exactly({ userId, draft: Draft, at: At }));
export const draftRemoved = eventType('draft.removed.v1', exactly({ userId, draftId: Id, at: At }));
/** The user turned the synchronization of drafts off or on: all drafts up to this ID are erased. */
export const draftsErased = eventType('drafts.erased.v1', exactly({ userId, upTo: Id, at: At }));

export const draftEventTypes = [draftsAdded, draftChanged, draftRemoved, draftsErased] as const;

export type Draft = EventOf<typeof draftChanged>['data']['draft'];
export type DraftEvent = EventOf<(typeof draftEventTypes)[number]>;

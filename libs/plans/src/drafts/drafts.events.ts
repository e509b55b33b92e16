import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Whose drafts they are. */
const userId = Id;

/** Whom the message is meant for, as far as the user has said. */
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
  /** Of the last edit, by the user's client; seconds since the epoch. */
  timestamp: Type.Integer({ minimum: 0 }),
});

/** What one request created: all of it or nothing. */
export const draftsAdded = eventType(
  'drafts.added.v1',
  exactly({ userId, drafts: Type.Array(Draft, { minItems: 1 }), at: At }),
);
/** The draft as it is from now on. */
export const draftChanged = eventType('draft.changed.v1', exactly({ userId, draft: Draft, at: At }));
export const draftRemoved = eventType('draft.removed.v1', exactly({ userId, draftId: Id, at: At }));
/** The user turned the synchronization of drafts off or on: of all drafts up to this ID none is left. */
export const draftsErased = eventType('drafts.erased.v1', exactly({ userId, upTo: Id, at: At }));

export const draftEventTypes = [draftsAdded, draftChanged, draftRemoved, draftsErased] as const;

export type Draft = EventOf<typeof draftChanged>['data']['draft'];
export type DraftEvent = EventOf<(typeof draftEventTypes)[number]>;

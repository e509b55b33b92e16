import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Who scheduled it. */
const userId = Id;

const ScheduledPlace = Type.Union([
  exactly({ kind: Type.Literal('channel'), channelId: Id, topic: Type.String() }),
  /** All participants of the conversation, with the sender, ascending. */
  exactly({ kind: Type.Literal('direct'), userIds: Type.Array(Id, { minItems: 1 }) }),
]);

const ScheduledMessage = exactly({
  /** Counts up by user from 1, and is never used again. */
  scheduledId: Id,
  place: ScheduledPlace,
  /** Markdown. */
  content: Type.String(),
  /** HTML as of the last change, for lists; the message is rendered again when it is sent. */
  rendered: Type.String(),
  deliverAt: At,
  /** Name of the client that scheduled it, which becomes that of the message. */
  client: Type.String(),
  /** As in the request; absent leaves it to the client's name. */
  readBySender: Type.Optional(Type.Boolean()),
});

export const scheduledAdded = eventType(
  'scheduled-message.added.v1',
  exactly({ userId, message: ScheduledMessage, at: At }),
);
/** The message as it is from now on: it waits, also when an earlier delivery had failed. */
export const scheduledChanged = eventType(
  'scheduled-message.changed.v1',
  exactly({ userId, message: ScheduledMessage, at: At }),
);
export const scheduledRemoved = eventType(
  'scheduled-message.removed.v1',
  exactly({
    userId,
    scheduledId: Id,
    /** Why the operator has removed it. */
    reason: Type.Optional(Type.String()),
    at: At,
  }),
);
/** The message became due, and is being sent. */
export const scheduledDue = eventType(
  'scheduled-message.due.v1',
  exactly({ userId, scheduledId: Id, at: At, entails: Type.Literal('delivery') }),
);
export const scheduledSent = eventType('scheduled-message.sent.v1', exactly({ userId, scheduledId: Id, at: At }));
/** The message could not be sent. It stays until its sender changes or removes it. */
export const scheduledFailed = eventType(
  'scheduled-message.failed.v1',
  exactly({
    userId,
    message: ScheduledMessage,
    /** In words for the sender. */
    reason: Type.String(),
    at: At,
    entails: Type.Literal('notice'),
  }),
);

export const scheduledEventTypes = [
  scheduledAdded,
  scheduledChanged,
  scheduledRemoved,
  scheduledDue,
  scheduledSent,
  scheduledFailed,
] as const;

export type ScheduledMessage = EventOf<typeof scheduledAdded>['data']['message'];
export type ScheduledDue = EventOf<typeof scheduledDue>;
export type ScheduledFailed = EventOf<typeof scheduledFailed>;
export type ScheduledEvent = EventOf<(typeof scheduledEventTypes)[number]>;

import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();

/** Users who are to be told of messages by mail. */
export const missedMessagesNoted = eventType(
  'missed-messages.noted.v1',
  exactly({
    missed: Type.Array(exactly({ userId: Id, messageIds: Type.Array(Id), dueAt: At })),
    /** The last message that it is about, and the last part of its recipients: what comes before is not noted again. */
    upTo: exactly({ messageId: Id, part: Type.Integer({ minimum: 0 }) }),
    at: At,
  }),
);

/** The time for a mail about missed messages has come. */
export const missedMailBatched = eventType(
  'missed-mail.batched.v1',
  exactly({
    userId: Id,
    dueAt: At,
    messageIds: Type.Array(Id),
    /** Mails are to be composed of these messages. */
    entails: Type.Optional(exactly({ mail: Type.Literal(true) })),
    at: At,
  }),
);

export const missedEventTypes = [missedMessagesNoted, missedMailBatched] as const;

export type MissedMessagesNoted = EventOf<typeof missedMessagesNoted>;
export type MissedMailBatched = EventOf<typeof missedMailBatched>;

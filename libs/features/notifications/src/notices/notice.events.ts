import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
const notice = {
  /** Name of the notice's stream. */
  noticeId: Type.String(),
  /** `message`: a new message; `removal`: messages that were read, whose notifications vanish from devices. */
  kind: Type.Union([Type.Literal('message'), Type.Literal('removal')]),
  messageIds: Type.Array(Id, { minItems: 1 }),
} as const;

/** The users to notify are decided, each with the medium and the reason. */
export const noticeQueued = eventType(
  'notice.queued.v1',
  exactly({
    ...notice,
    push: Type.Array(exactly({ userId: Id, trigger: Type.String() })),
    /** To be told by mail, in events before `missed-messages.noted.v1`. */
    mail: Type.Array(exactly({ userId: Id, trigger: Type.String(), dueAt: At })),
    at: At,
  }),
);
/** The push service has not taken it for all users. */
export const noticePostponed = eventType(
  'notice.postponed.v1',
  exactly({
    ...notice,
    told: Type.Array(Id),
    /** No attempt failed: the operator asked for one. */
    isRetry: Type.Optional(Type.Literal(true)),
    /** Why the last attempt failed; absent in events from before it was recorded. */
    reason: Type.Optional(Type.String()),
    until: At,
    at: At,
  }),
);
/** Nobody else is told: the push service took it, the others have read the messages, or it was given up. */
export const noticeFinished = eventType(
  'notice.finished.v1',
  exactly({
    ...notice,
    told: Type.Array(Id),
    /** Why the operator has given it up. */
    reason: Type.Optional(Type.String()),
    at: At,
  }),
);

export const noticeEventTypes = [noticeQueued, noticePostponed, noticeFinished] as const;

export type NoticeQueued = EventOf<typeof noticeQueued>;
export type NoticeEvent = EventOf<(typeof noticeEventTypes)[number]>;

import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

/** Seconds since the epoch. */
const At = Type.Integer();
/** Name of the mail's stream; see `mailIdOf`. */
const mailId = Type.String();

/** A mail is to be sent. What it says is composed when it is sent, so that no secret, such as the key of a link, is stored. */
export const mailQueued = eventType(
  'mail.queued.v1',
  exactly({
    mailId,
    /** Name of the template that composes it. */
    template: Type.String(),
    /** Parameters of the template. */
    values: Type.Record(Type.String(), Type.String()),
    at: At,
  }),
);
/** A process that has written the mail to the mail server sends its end, with which the server takes it. */
export const mailSubmitting = eventType(
  'mail.submitting.v1',
  exactly({
    mailId,
    /** Without an outcome by then, its process has ended. */
    until: At,
    at: At,
  }),
);
export const mailSent = eventType('mail.sent.v1', exactly({ mailId, at: At }));
/** The mail server could not be reached, or did not take the mail for now. */
export const mailPostponed = eventType(
  'mail.postponed.v1',
  exactly({
    mailId,
    reason: Type.String(),
    /** No attempt failed: the operator asked for one. */
    isRetry: Type.Optional(Type.Literal(true)),
    until: At,
    at: At,
  }),
);
/** The mail is not sent any more. */
export const mailDropped = eventType('mail.dropped.v1', exactly({ mailId, reason: Type.String(), at: At }));

export const mailEventTypes = [mailQueued, mailSubmitting, mailSent, mailPostponed, mailDropped] as const;

export type MailEvent = EventOf<(typeof mailEventTypes)[number]>;

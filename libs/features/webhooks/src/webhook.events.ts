import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';
import { givenWidgetShape } from '#messages';

/** Seconds since the epoch. */
const At = Type.Integer();
/** Name of the call's stream; see `callIdOf`. */
const callId = Type.String();

/** A process calls the service of an outgoing webhook bot. */
export const webhookCalling = eventType(
  'webhook.calling.v1',
  exactly({
    callId,
    /** Number of the attempt, counted from 1. */
    attempt: Type.Integer({ minimum: 1 }),
    /** Without an outcome by then, its process has ended, and another one calls. */
    until: At,
    at: At,
  }),
);
/** The service is called again later. */
export const webhookPostponed = eventType(
  'webhook.postponed.v1',
  exactly({
    callId,
    /** The service was not called, since too many calls of the bot were under way. */
    isBusy: Type.Optional(Type.Literal(true)),
    /** No attempt failed: the operator asked for one. */
    isRetry: Type.Optional(Type.Literal(true)),
    /** Why the last attempt failed; absent in events from before it was recorded. */
    reason: Type.Optional(Type.String()),
    until: At,
    at: At,
  }),
);
/** The service has answered, or is given up. */
export const webhookFinished = eventType(
  'webhook.finished.v1',
  exactly({
    callId,
    entails: Type.Optional(
      exactly({
        /** What the bot says in the conversation. */
        reply: Type.Optional(Type.String()),
        /** What clients show instead of the reply. */
        widget: Type.Optional(givenWidgetShape),
        /** What the bot's owner is told. */
        failure: Type.Optional(Type.String()),
      }),
    ),
    at: At,
  }),
);

export const webhookEventTypes = [webhookCalling, webhookPostponed, webhookFinished] as const;

export type WebhookEvent = EventOf<(typeof webhookEventTypes)[number]>;
export type WebhookFinished = EventOf<typeof webhookFinished>;

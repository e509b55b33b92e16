import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

/**
 * A message was requested under an idempotency key of its sender (`Idempotency-Key`). The only event of its stream. The
 * message carries the same hash in its metadata, as `sendKey`, and an event id derived from it.
 */
export const sendReserved = eventType(
  'send.reserved.v1',
  exactly({
    senderId: Type.Integer({ minimum: 1 }),
    /** SHA-256 of the request, hexadecimal. */
    requestHash: Type.String(),
    /** Seconds since the epoch. */
    at: Type.Integer(),
  }),
);

export const sendEventTypes = [sendReserved] as const;

export type SendReserved = EventOf<typeof sendReserved>;

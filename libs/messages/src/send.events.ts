import { Type } from 'typebox';
import { eventType, exactly, type FactOf } from '#event-store';

/**
 * A message was asked for under a key of its sender's (`Idempotency-Key`). The only fact of its stream. The message itself
 * carries the same hash in its metadata, as `sendKey`, and an event id that follows from it.
 */
export const sendReserved = eventType(
  'send.reserved.v1',
  exactly({
    senderId: Type.Integer({ minimum: 1 }),
    /** SHA-256 of what was asked for, hexadecimal. */
    requestHash: Type.String(),
    /** Seconds since the epoch. */
    at: Type.Integer(),
  }),
);

export const sendEventTypes = [sendReserved] as const;

export type SendReserved = FactOf<typeof sendReserved>;

import { Refusal, type Decider } from '#kernel';
import type { SendReserved } from './send.events.js';

/** State of an idempotency key: the request that uses it. */
interface Reservation {
  readonly requestHash: string | undefined;
}

export interface ReserveSend {
  readonly senderId: number;
  readonly requestHash: string;
  readonly at: number;
}

/**
 * One request per key. Reserving again for the same request changes nothing.
 * @throws Refusal IDEMPOTENCY_KEY_REUSED
 */
export const reservationDecider: Decider<Reservation, ReserveSend, SendReserved> = {
  initial: () => ({ requestHash: undefined }),
  decide({ requestHash }, command) {
    if (requestHash === undefined) return [{ type: 'send.reserved.v1', data: command }];
    assertSameRequest(requestHash, command.requestHash);
    return [];
  },
  evolve: (_, { data }) => ({ requestHash: data.requestHash }),
};

/** @throws Refusal IDEMPOTENCY_KEY_REUSED */
export function assertSameRequest(first: string, second: string): void {
  if (first === second) return;
  throw new Refusal(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request. Use a new key for each message.',
  );
}

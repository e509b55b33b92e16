import { badRequest } from '#kernel';

/** The last second of the year 9999: clients cannot show later ones. */
export const TIMESTAMP_MAX = 253_402_300_799;

/** @throws Refusal BAD_REQUEST */
export function assertInFuture(deliverAt: number, now: number): void {
  if (deliverAt <= now) throw badRequest('Scheduled delivery time must be in the future.');
}

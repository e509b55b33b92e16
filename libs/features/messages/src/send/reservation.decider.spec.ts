import { specFor } from '#testing';
import { reservationDecider } from './reservation.decider.js';
import type { SendReserved } from './send.events.js';

const given = specFor(reservationDecider);
const command = { senderId: 7, requestHash: 'abc', at: 1_790_000_000 };
const reserved: SendReserved = { type: 'send.reserved.v1', data: command };

test('a key is reserved once', () => {
  given().when(command).then(reserved);
  given(reserved)
    .when({ ...command, at: command.at + 99 })
    .thenNothing();
});

test('for one request', () => {
  given(reserved)
    .when({ ...command, requestHash: 'def' })
    .thenRefused('IDEMPOTENCY_KEY_REUSED');
});

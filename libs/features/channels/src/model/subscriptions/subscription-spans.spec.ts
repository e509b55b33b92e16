import fc from 'fast-check';
import { coversMessage, coversPosition } from './subscription-spans.js';
import type { SubscriptionSpan } from './subscription.js';

/** Spans of alternating joins and leaves, with some messages and events in between. */
const histories = fc
  .array(fc.record({ sent: fc.nat(3), facts: fc.integer({ min: 1, max: 3 }) }), { maxLength: 30 })
  .map((turns) => {
    const spans: SubscriptionSpan[] = [];
    let messageId = 0;
    let position = 0;
    turns.forEach(({ sent, facts }, turn) => {
      messageId += sent;
      position += sent + facts;
      const open = spans.at(-1);
      if (turn % 2 === 0 || open === undefined) {
        spans.push({ fromId: messageId + 1, untilId: null, fromPosition: position, untilPosition: null });
      } else {
        spans[spans.length - 1] = { ...open, untilId: messageId, untilPosition: position };
      }
    });
    return spans;
  });

test('halving finds what looking at every span finds', () => {
  fc.assert(
    fc.property(histories, fc.nat(200), (spans, point) => {
      const byId = spans.some(({ fromId, untilId }) => fromId <= point && (untilId === null || point <= untilId));
      const byPosition = spans.some(
        (span) => span.fromPosition <= point && (span.untilPosition === null || point < span.untilPosition),
      );
      expect(coversMessage(spans, point)).toBe(byId);
      expect(coversPosition(spans, point)).toBe(byPosition);
    }),
  );
});

test('a user without a span was never subscribed', () => {
  expect(coversMessage([], 1)).toBe(false);
  expect(coversPosition([], 1)).toBe(false);
});

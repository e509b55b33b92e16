import type { SubscriptionSpan } from './subscription.js';

/** The fields of a span that a search needs. */
type MessageSpan = Pick<SubscriptionSpan, 'fromId' | 'untilId'>;

/**
 * Spans are ordered and disjoint, so only the last one that has begun can contain a point: a binary search finds it.
 */
function lastBegun<Begin extends string, Span extends Readonly<Record<Begin, number>>>(
  spans: readonly Span[],
  begin: Begin,
  point: number,
): Span | undefined {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const span = spans[middle];
    if (span !== undefined && span[begin] <= point) low = middle + 1;
    else high = middle;
  }
  return spans[low - 1];
}

/** Whether the subscription was active when the event at this position was recorded. */
export function coversPosition(spans: readonly SubscriptionSpan[], position: number): boolean {
  const span = lastBegun(spans, 'fromPosition', position);
  return span !== undefined && (span.untilPosition === null || position < span.untilPosition);
}

/** Whether one of the spans covers the message of this ID. */
export function coversMessage(spans: readonly MessageSpan[], messageId: number): boolean {
  const span = lastBegun(spans, 'fromId', messageId);
  return span !== undefined && (span.untilId === null || messageId <= span.untilId);
}

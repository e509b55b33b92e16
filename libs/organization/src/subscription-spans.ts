import type { SubscriptionSpan } from './directory.records.js';

/** Spans are in order and apart, so only the last one that has begun can hold a point; it is found by halving. */
function lastBegun(
  spans: readonly SubscriptionSpan[],
  begin: 'fromId' | 'fromPosition',
  point: number,
): SubscriptionSpan | undefined {
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

/** Whether the subscription lasted when the fact at this position was recorded. */
export function coversPosition(spans: readonly SubscriptionSpan[], position: number): boolean {
  const span = lastBegun(spans, 'fromPosition', position);
  return span !== undefined && (span.untilPosition === null || position < span.untilPosition);
}

/** Whether the subscription lasted when the message of this ID was sent. */
export function coversMessage(spans: readonly SubscriptionSpan[], messageId: number): boolean {
  const span = lastBegun(spans, 'fromId', messageId);
  return span !== undefined && (span.untilId === null || messageId <= span.untilId);
}

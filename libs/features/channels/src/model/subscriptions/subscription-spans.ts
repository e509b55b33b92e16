import { firstAtLeast } from '#kernel';
import type { SubscriptionSpan } from './subscription.js';

/** The fields of a span that a search needs. */
type MessageSpan = Pick<SubscriptionSpan, 'fromId' | 'untilId'>;

/**
 * Spans are ordered and disjoint, so only the last one that has begun can contain a point: a binary search finds it.
 */
function lastBegun<Span>(spans: readonly Span[], point: number, beginOf: (span: Span) => number): Span | undefined {
  return spans[firstAtLeast(spans, point + 1, beginOf) - 1];
}

/** Whether the subscription was active when the event at this position was recorded. */
export function coversPosition(spans: readonly SubscriptionSpan[], position: number): boolean {
  const span = lastBegun(spans, position, ({ fromPosition }) => fromPosition);
  return span !== undefined && (span.untilPosition === null || position < span.untilPosition);
}

/** Whether one of the spans covers the message of this ID. */
export function coversMessage(spans: readonly MessageSpan[], messageId: number): boolean {
  const last = spans[spans.length - 1];
  if (last === undefined) return false;
  // As for most messages; this is asked for each of 100,000.
  const span = last.fromId <= messageId ? last : lastBegun(spans, messageId, ({ fromId }) => fromId);
  return span !== undefined && (span.untilId === null || messageId <= span.untilId);
}

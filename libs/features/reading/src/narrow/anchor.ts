import { badRequest } from '#kernel';

/** Greater than every message ID: the anchor `newest`, and the result of `first_unread` when nothing is unread. */
export const NEWEST_ANCHOR = 10_000_000_000_000_000;
const DIGITS_MAX = 40;

/** Anchor of a window of messages: an ID, or the first unread message. */
export type Anchor = number | 'first_unread';

/** @throws Refusal BAD_REQUEST */
export function anchorOf(written: string): Anchor {
  if (written === 'newest') return NEWEST_ANCHOR;
  if (written === 'oldest') return 0;
  if (written === 'first_unread') return 'first_unread';
  if (written.length > DIGITS_MAX || !/^-?\d+$/.test(written)) throw badRequest('Invalid anchor');
  const messageId = Number(written);
  // No message has such an ID, and no index takes one.
  if (messageId > Number.MAX_SAFE_INTEGER) return NEWEST_ANCHOR;
  return Math.max(messageId, 0);
}

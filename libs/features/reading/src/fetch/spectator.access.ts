import { notLoggedIn } from '#kernel';
import { isSpectator, type User } from '#users/model';
import type { NarrowOperator, NarrowTerm } from '../narrow/narrow-terms.js';

const OPEN_OPERATORS: ReadonlySet<NarrowOperator> = new Set([
  'channel',
  'channels',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
]);

/**
 * Without an account, only narrows that say that they are about web-public channels are answered (endpoints.md §3).
 * @throws Refusal UNAUTHORIZED
 */
export function assertMayNarrow(viewer: User, terms: readonly NarrowTerm[]): void {
  if (!isSpectator(viewer)) return;
  if (!terms.some(isWebPublic)) throw notLoggedIn();
  const isOpen = (term: NarrowTerm): boolean =>
    OPEN_OPERATORS.has(term.operator) && (term.operator !== 'channels' || isWebPublic(term));
  if (!terms.every(isOpen)) throw notLoggedIn();
}

function isWebPublic({ operator, operand, negated }: NarrowTerm): boolean {
  return operator === 'channels' && operand === 'web-public' && !negated;
}

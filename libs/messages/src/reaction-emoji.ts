import { emojiByName, emojiNamesByCode } from '#markdown';
import type { ReactionAdded } from './messages.events.js';

export type ReactionType = ReactionAdded['data']['reactionType'];

export interface Emoji {
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: ReactionType;
}

/** An emoji as a request names it. Every part may be missing, but not name and code both. */
export interface AskedEmoji {
  readonly name: string | undefined;
  readonly code: string | undefined;
  readonly type: ReactionType | undefined;
}

/** What a request's emoji comes to. */
export interface ResolvedEmoji {
  /** Which reactions it means; undefined when neither name nor code lead anywhere. */
  readonly emoji: Emoji | undefined;
  /** Why it cannot be a new reaction: the text of the refusal. */
  readonly problem?: string;
  /** No emoji has such a code, so there is nothing that a name could be wrong for. */
  readonly isUnknown?: true;
}

/** The built-in extra emoji by their names, which are their codes too, and where clients expect their pictures. */
export const EXTRA_EMOJI: ReadonlyMap<string, { readonly url: string }> = new Map([
  ['zulip', { url: '/static/generated/emoji/images/emoji/unicode/zulip.png' }],
]);

/**
 * Looks up what the request leaves out, in the order extra emoji, Unicode emoji, and checks that the rest fits together
 * (endpoints.md §4). There are no custom emoji yet.
 */
export function resolveEmoji({ name, code, type }: AskedEmoji): ResolvedEmoji {
  const known = name === undefined ? undefined : emojiNamed(name);
  const emojiCode = (code && spelledPlainly(code, type)) ?? known?.emojiCode;
  if (emojiCode === undefined) return { emoji: undefined, problem: `Emoji '${name ?? ''}' does not exist` };
  const reactionType = type ?? (known?.emojiCode === emojiCode ? known.reactionType : typeOf(emojiCode));
  const emojiName = name ?? namesOf(emojiCode, reactionType)[0] ?? '';
  const emoji = { emojiName, emojiCode, reactionType };
  const names = namesOf(emojiCode, reactionType);
  if (names.length > 0) return names.includes(emojiName) ? { emoji } : { emoji, problem: 'Invalid emoji name.' };
  const problem = reactionType === 'realm_emoji' ? 'Invalid custom emoji.' : 'Invalid emoji code.';
  return { emoji, problem, isUnknown: true };
}

function emojiNamed(name: string): Emoji | undefined {
  if (EXTRA_EMOJI.has(name)) return { emojiName: name, emojiCode: name, reactionType: 'service_extra_emoji' };
  const emojiCode = emojiByName(name);
  return emojiCode === undefined ? undefined : { emojiName: name, emojiCode, reactionType: 'unicode_emoji' };
}

/** Codes of Unicode emoji are those without variation selectors; some clients write them. */
function spelledPlainly(code: string, type: ReactionType | undefined): string {
  return type === undefined || type === 'unicode_emoji' ? code.replaceAll('-fe0f', '') : code;
}

function typeOf(code: string): ReactionType {
  return EXTRA_EMOJI.has(code) ? 'service_extra_emoji' : 'unicode_emoji';
}

function namesOf(code: string, type: ReactionType): readonly string[] {
  if (type === 'service_extra_emoji') return EXTRA_EMOJI.has(code) ? [code] : [];
  return type === 'unicode_emoji' && Object.hasOwn(emojiNamesByCode, code) ? (emojiNamesByCode[code] ?? []) : [];
}

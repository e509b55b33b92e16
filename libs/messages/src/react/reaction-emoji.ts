import { emojiByName, emojiNamesByCode } from '#markdown';
import type { ReactionAdded } from '../model/messages.events.js';

export type ReactionType = ReactionAdded['data']['reactionType'];

export interface Emoji {
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: ReactionType;
}

/** An emoji as a request names it. Any part may be missing, but not both name and code. */
export interface AskedEmoji {
  readonly name: string | undefined;
  readonly code: string | undefined;
  readonly type: ReactionType | undefined;
}

/** An emoji of a request after the look-up. */
export interface ResolvedEmoji {
  /** The reactions that it means; undefined when neither name nor code is known. */
  readonly emoji: Emoji | undefined;
  /** Text of the refusal, when it cannot be a new reaction. */
  readonly problem?: string;
  /** No emoji has this code, so the name is not checked. */
  readonly isUnknown?: true;
}

/** Built-in extra emoji by name, which is also their code, and the addresses at which clients expect their pictures. */
export const EXTRA_EMOJI: ReadonlyMap<string, { readonly url: string }> = new Map([
  ['zulip', { url: '/static/generated/emoji/images/emoji/unicode/zulip.png' }],
]);

/**
 * Looks up what the request leaves out, in the order extra emoji, Unicode emoji, and checks that the rest fits together
 * (endpoints.md §4). Custom emoji do not exist yet.
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

/** Removes variation selectors, which some clients write in the codes of Unicode emoji. */
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

import { emojiByName, emojiNamesByCode } from '#markdown';
import { type AllCustomEmoji, type CustomEmoji, customEmojiByCode } from '#pictures/model';
import type { ReactionAdded } from './messages.events.js';

export type ReactionType = ReactionAdded['data']['reactionType'];

export interface Emoji {
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: ReactionType;
}

export function isSameEmoji(a: Emoji, b: Emoji): boolean {
  return a.emojiCode === b.emojiCode && a.reactionType === b.reactionType;
}

export function emojiOf({ emojiName, emojiCode, reactionType }: Emoji): Emoji {
  return { emojiName, emojiCode, reactionType };
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
  /** Custom emoji that are gone are joined by their code, not by a name that may be another emoji's tomorrow. */
  readonly isGoneName?: true;
  /** No emoji has this code, so the name is not checked. */
  readonly isUnknown?: true;
}

/** Built-in extra emoji by name, which is also their code, and the addresses at which clients expect their pictures. */
export const EXTRA_EMOJI: ReadonlyMap<string, { readonly url: string }> = new Map([
  ['zulip', { url: '/static/generated/emoji/images/emoji/unicode/zulip.png' }],
]);

/**
 * Looks up what the request leaves out, in the order custom emoji, extra emoji, Unicode emoji, and checks that the rest
 * fits together (endpoints.md §4). A deactivated custom emoji is found, so that reactions with it can be removed.
 */
export function resolveEmoji({ name, code, type }: AskedEmoji, custom: AllCustomEmoji): ResolvedEmoji {
  const known = name === undefined ? undefined : emojiNamed(name, type, custom);
  const emojiCode = (code && spelledPlainly(code, type)) ?? known?.emojiCode;
  if (emojiCode === undefined) return { emoji: undefined, problem: `Emoji '${name ?? ''}' does not exist` };
  const reactionType = type ?? (known?.emojiCode === emojiCode ? known.reactionType : typeOf(emojiCode, custom));
  const names = namesOf(emojiCode, reactionType, custom);
  const emojiName = name ?? names[0] ?? '';
  const emoji = { emojiName, emojiCode, reactionType };
  if (names.length > 0 && !names.includes(emojiName)) return { emoji, problem: 'Invalid emoji name.' };
  if (reactionType === 'realm_emoji' && customEmojiByCode(custom, emojiCode)?.isDeactivated === true)
    return { emoji, problem: 'This custom emoji has been deactivated.', ...(code ? undefined : { isGoneName: true }) };
  if (names.length > 0) return { emoji };
  const problem = reactionType === 'realm_emoji' ? 'Invalid custom emoji.' : 'Invalid emoji code.';
  return { emoji, problem, isUnknown: true };
}

/** The first emoji of this name, of the type if one is asked for. */
function emojiNamed(name: string, type: ReactionType | undefined, custom: AllCustomEmoji): Emoji | undefined {
  const codes: readonly (readonly [ReactionType, string | undefined])[] = [
    ['realm_emoji', codeOf(custom.byName.get(name))],
    ['service_extra_emoji', EXTRA_EMOJI.has(name) ? name : undefined],
    ['unicode_emoji', emojiByName(name)],
    // Deactivated ones of the name: the newest.
    ['realm_emoji', codeOf(custom.inOrder.findLast((emoji) => emoji.name === name))],
  ];
  for (const [reactionType, emojiCode] of codes)
    if (emojiCode !== undefined && (type ?? reactionType) === reactionType)
      return { emojiName: name, emojiCode, reactionType };
  return undefined;
}

function codeOf(emoji: CustomEmoji | undefined): string | undefined {
  return emoji === undefined ? undefined : `${emoji.emojiId}`;
}

/** Removes variation selectors, which some clients write in the codes of Unicode emoji. */
function spelledPlainly(code: string, type: ReactionType | undefined): string {
  return type === undefined || type === 'unicode_emoji' ? code.replaceAll('-fe0f', '') : code;
}

function typeOf(code: string, custom: AllCustomEmoji): ReactionType {
  if (EXTRA_EMOJI.has(code)) return 'service_extra_emoji';
  if (Object.hasOwn(emojiNamesByCode, code)) return 'unicode_emoji';
  return customEmojiByCode(custom, code) === undefined ? 'unicode_emoji' : 'realm_emoji';
}

function namesOf(code: string, type: ReactionType, custom: AllCustomEmoji): readonly string[] {
  if (type === 'realm_emoji') {
    const emoji = customEmojiByCode(custom, code);
    return emoji === undefined ? [] : [emoji.name];
  }
  if (type === 'service_extra_emoji') return EXTRA_EMOJI.has(code) ? [code] : [];
  return Object.hasOwn(emojiNamesByCode, code) ? (emojiNamesByCode[code] ?? []) : [];
}

import { named, type Wire, words } from '#wire';

/** Names of the type of the server's own emoji; clients may send either (rules.md §13). The first is what existing clients know. */
export const EXTRA_EMOJI_TYPES = ['zulip_extra_emoji', 'service_extra_emoji'] as const;
export type ExtraEmojiTypeName = (typeof EXTRA_EMOJI_TYPES)[number];

/** Types of emoji in answers and client events. */
export const EmojiTypeSchema = named('EmojiType', words('unicode_emoji', 'realm_emoji', ...EXTRA_EMOJI_TYPES));

/** As events have it. */
const RECORDED = 'service_extra_emoji' satisfies ExtraEmojiTypeName;

/**
 * The name of that type in answers and client events, the same for every client (`EXTRA_EMOJI_TYPE`): a client that does not know
 * the word refuses the whole answer.
 */
export class ExtraEmojiType {
  constructor(readonly name: ExtraEmojiTypeName = EXTRA_EMOJI_TYPES[0]) {}

  /** A recorded `reaction_type` in wire format. */
  wire(type: string): Wire<typeof EmojiTypeSchema> {
    return type === RECORDED ? this.name : (type as Wire<typeof EmojiTypeSchema>);
  }
}

/** The recorded form of a `reaction_type` that a client sent. */
export function reactionTypeOf<Type extends string | undefined>(
  asked: Type,
): Exclude<Type, 'zulip_extra_emoji'> | typeof RECORDED {
  return asked === 'zulip_extra_emoji' ? RECORDED : (asked as Exclude<Type, 'zulip_extra_emoji'>);
}

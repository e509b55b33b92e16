import { memoized } from '#kernel';
import { type EventSchemas, integer, map, named, nullable, object, text, truth, type Wire } from '#wire';
import { type AllCustomEmoji, type CustomEmoji, emojiAddress, stillEmojiAddress } from '../model/emoji/custom-emoji.js';

const CustomEmojiSchema = named(
  'CustomEmoji',
  object({
    id: text,
    name: text,
    source_url: text,
    still_url: nullable(text),
    deactivated: truth,
    author_id: nullable(integer),
  }),
);

/** All custom emoji by ID. */
export const CustomEmojiMapSchema = map(CustomEmojiSchema);

export const emojiEventSchemas = { 'realm_emoji/update': { realm_emoji: CustomEmojiMapSchema } } satisfies EventSchemas;

export const emojiFieldSchemas = { realm_emoji: CustomEmojiMapSchema };

/** A custom emoji in wire format (endpoints.md §12, "RealmEmoji"). */
function wireEmoji(emoji: CustomEmoji): Wire<typeof CustomEmojiSchema> {
  return {
    id: `${emoji.emojiId}`,
    name: emoji.name,
    source_url: emojiAddress(emoji),
    still_url: stillEmojiAddress(emoji),
    deactivated: emoji.isDeactivated === true,
    author_id: emoji.authorId,
  };
}

/** These custom emoji by ID, including deactivated ones. The list is replaced, never changed, so the map stays valid. */
export const wireEmojiMap = memoized((inOrder: AllCustomEmoji['inOrder']): Wire<typeof CustomEmojiMapSchema> =>
  Object.fromEntries(inOrder.map((emoji) => [`${emoji.emojiId}`, wireEmoji(emoji)])),
);

import { type JsonObject, memoized } from '#kernel';
import { type AllCustomEmoji, type CustomEmoji, emojiAddress, stillEmojiAddress } from '../model/emoji/custom-emoji.js';

/** A custom emoji in wire format (endpoints.md §12, "RealmEmoji"). */
function wireEmoji(emoji: CustomEmoji): JsonObject {
  return {
    id: `${emoji.emojiId}`,
    name: emoji.name,
    source_url: emojiAddress(emoji),
    still_url: stillEmojiAddress(emoji),
    deactivated: emoji.isDeactivated === true,
    author_id: emoji.authorId,
  };
}

/** All custom emoji by ID, including deactivated ones. The state is replaced, never changed, so the map stays valid. */
export const wireEmojiMap = memoized((all: AllCustomEmoji): JsonObject =>
  Object.fromEntries(all.inOrder.map((emoji) => [`${emoji.emojiId}`, wireEmoji(emoji)])),
);

import type { JsonObject } from '#kernel';
import { type AllCustomEmoji, type CustomEmoji, emojiAddress, stillEmojiAddress } from '#organization';

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

/** The state is replaced, never changed, so what is derived from it stays valid. */
const maps = new WeakMap<AllCustomEmoji, JsonObject>();

/** All custom emoji by ID, including deactivated ones. */
export function wireEmojiMap(all: AllCustomEmoji): JsonObject {
  let map = maps.get(all);
  if (map === undefined) {
    map = Object.fromEntries(all.inOrder.map((emoji) => [`${emoji.emojiId}`, wireEmoji(emoji)]));
    maps.set(all, map);
  }
  return map;
}

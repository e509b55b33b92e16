import { directoryValue } from '#directory';
import { customEmojiEventTypes } from './custom-emoji.events.js';
import { type CustomEmoji, customEmojiOf, evolveCustomEmoji, NO_CUSTOM_EMOJI } from './custom-emoji.js';

/** The organization's custom emoji, including deactivated ones. */
export const customEmojiPart = directoryValue({
  name: 'customEmoji',
  events: customEmojiEventTypes,
  initial: NO_CUSTOM_EMOJI,
  evolve: evolveCustomEmoji,
  snapshot: ({ inOrder }) => inOrder,
  restore: (inOrder: readonly CustomEmoji[] = []) => customEmojiOf(inOrder),
});

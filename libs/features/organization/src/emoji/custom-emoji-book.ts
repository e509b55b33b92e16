import type { Handlers } from '../directory/directory-part.js';
import type { CustomEmojiEvent } from './custom-emoji.events.js';
import {
  type AllCustomEmoji,
  type CustomEmoji,
  customEmojiOf,
  evolveCustomEmoji,
  NO_CUSTOM_EMOJI,
} from './custom-emoji.js';

/** The organization's custom emoji, a part of the directory. */
export class CustomEmojiBook {
  #emoji: AllCustomEmoji = NO_CUSTOM_EMOJI;

  readonly #take = (event: CustomEmojiEvent): void => {
    this.#emoji = evolveCustomEmoji(this.#emoji, event);
  };

  readonly on: Handlers<CustomEmojiEvent> = { 'emoji.added.v1': this.#take, 'emoji.deactivated.v1': this.#take };

  get emoji(): AllCustomEmoji {
    return this.#emoji;
  }

  snapshot(): readonly CustomEmoji[] {
    return this.#emoji.inOrder;
  }

  /** @param inOrder absent in snapshots from before there were any */
  restore(inOrder: readonly CustomEmoji[] = []): void {
    this.#emoji = customEmojiOf(inOrder);
  }
}

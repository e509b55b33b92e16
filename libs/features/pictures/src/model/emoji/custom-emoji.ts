import { unreachable } from '#kernel';
import { picturePath } from '../picture-path.js';
import type { CustomEmojiEvent, EmojiAdded } from './custom-emoji.events.js';

/** An emoji that a user of the organization has added. */
export interface CustomEmoji {
  readonly emojiId: number;
  readonly name: string;
  /** Content in the store of files. */
  readonly image: string;
  readonly format: EmojiAdded['data']['format'];
  /** Content of a still image, when the emoji moves. */
  readonly still?: string;
  readonly authorId: number;
  readonly isDeactivated?: true;
}

/** The organization's custom emoji, including deactivated ones. The state is replaced, never changed. */
export interface AllCustomEmoji {
  /** By ID, ascending. */
  readonly inOrder: readonly CustomEmoji[];
  /** Emoji that are not deactivated. */
  readonly byName: ReadonlyMap<string, CustomEmoji>;
}

export const NO_CUSTOM_EMOJI: AllCustomEmoji = customEmojiOf([]);

/** All that follows from the list. */
export function customEmojiOf(inOrder: readonly CustomEmoji[]): AllCustomEmoji {
  let byName: ReadonlyMap<string, CustomEmoji> | undefined;
  return {
    inOrder,
    // Made when it is needed, and not for each of many events at the start.
    get byName() {
      const active = (): readonly CustomEmoji[] => inOrder.filter(({ isDeactivated }) => isDeactivated !== true);
      return (byName ??= new Map(active().map((emoji) => [emoji.name, emoji])));
    },
  };
}

export function evolveCustomEmoji({ inOrder }: AllCustomEmoji, event: CustomEmojiEvent): AllCustomEmoji {
  switch (event.type) {
    case 'emoji.added.v1': {
      const { by: authorId, at: _, ...emoji } = event.data;
      return customEmojiOf([...inOrder, { ...emoji, authorId }]);
    }
    case 'emoji.deactivated.v1': {
      const { emojiId } = event.data;
      const gone = (emoji: CustomEmoji): CustomEmoji => ({ ...emoji, isDeactivated: true });
      return customEmojiOf(inOrder.map((emoji) => (emoji.emojiId === emojiId ? gone(emoji) : emoji)));
    }
    default:
      return unreachable(event);
  }
}

/** The emoji of this ID, deactivated or not. IDs are given in order, from 1. */
export function customEmojiById({ inOrder }: AllCustomEmoji, emojiId: number): CustomEmoji | undefined {
  return inOrder[emojiId - 1];
}

/** The emoji that a reaction or status names by its code, deactivated or not. */
export function customEmojiByCode(all: AllCustomEmoji, code: string): CustomEmoji | undefined {
  return /^[1-9]\d{0,8}$/.test(code) ? customEmojiById(all, Number(code)) : undefined;
}

/** Address of the emoji's picture, relative to the server's. A picture never changes. */
export function emojiAddress({ emojiId, format }: CustomEmoji): string {
  return picturePath(`emoji/images/${emojiId}.${format}`);
}

/** Address of the still picture of an emoji that moves; null for any other. */
export function stillEmojiAddress({ emojiId, still }: CustomEmoji): string | null {
  return still === undefined ? null : picturePath(`emoji/images/${emojiId}-still.png`);
}

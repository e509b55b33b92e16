import type { EmojiAdded } from '../model/emoji/custom-emoji.events.js';

interface ByActor {
  /** Looked up again when the command is decided, since roles may have changed meanwhile. */
  readonly actorId: number;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** Content of an emoji, which is stored already. */
export type EmojiPicture = Pick<EmojiAdded['data'], 'image' | 'format' | 'still'>;

export interface AddEmoji extends ByActor {
  readonly type: 'add-emoji';
  readonly name: string;
  readonly picture: EmojiPicture;
}

export interface DeactivateEmoji extends ByActor {
  readonly type: 'deactivate-emoji';
  readonly name: string;
}

export type EmojiCommand = AddEmoji | DeactivateEmoji;

import type { ExtraEmojiType } from '#pictures/model';
import type { StatusEmoji } from '../model/status.js';

/** A user's status in wire format; only what is set (endpoints.md §7, GET /users/{user_id}/status). */
export interface WireStatus {
  readonly away?: true;
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: string;
}

export interface StatusParts {
  readonly text?: string;
  readonly emoji?: StatusEmoji | null;
}

export function wireEmoji({ name, code, type }: StatusEmoji, extraEmojiType: ExtraEmojiType) {
  return { emoji_name: name, emoji_code: code, reaction_type: extraEmojiType.wire(type) };
}

import { wireReactionType } from '#messages';
import type { StatusEmoji } from '#organization';

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

/** @param clientIsZulip the client knows the extra emoji by its older name */
export function wireEmoji({ name, code, type }: StatusEmoji, clientIsZulip: boolean) {
  return { emoji_name: name, emoji_code: code, reaction_type: wireReactionType(type, clientIsZulip) };
}

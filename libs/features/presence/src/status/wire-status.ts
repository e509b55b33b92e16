import type { ExtraEmojiType } from '#pictures/model';
import { EmojiTypeSchema } from '#pictures/model';
import { type EventSchemas, exact, integer, map, named, object, partial, text, truth, type Wire } from '#wire';
import type { StatusEmoji } from '../model/status.js';

const EMOJI = { emoji_name: text, emoji_code: text, reaction_type: EmojiTypeSchema };

/** A user's status in wire format; only what is set (endpoints.md §7, GET /users/{user_id}/status). */
export const StatusSchema = named('UserStatus', object(partial({ away: exact(true), status_text: text, ...EMOJI })));
export type WireStatus = Wire<typeof StatusSchema>;

export const statusEventSchemas = {
  user_status: { user_id: integer, ...partial({ away: truth, status_text: text, ...EMOJI }) },
} satisfies EventSchemas;

export const statusFieldSchemas = { user_status: map(StatusSchema) };

export interface StatusParts {
  readonly text?: string;
  readonly emoji?: StatusEmoji | null;
}

export function wireEmoji({ name, code, type }: StatusEmoji, extraEmojiType: ExtraEmojiType) {
  return { emoji_name: name, emoji_code: code, reaction_type: extraEmojiType.wire(type) };
}

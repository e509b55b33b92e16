import type { UserStatusChanged } from './status.events.js';

export type StatusEmoji = NonNullable<UserStatusChanged['data']['emoji']>;

/** A user's status: a text and an emoji. Whether the user is away is a setting, `presence_enabled`. */
export interface UserStatus {
  readonly text: string;
  readonly emoji: StatusEmoji | null;
}

export const NO_STATUS: UserStatus = { text: '', emoji: null };

/** The status after an event; `NO_STATUS` when nothing is left of it. */
export function evolveStatus(status: UserStatus, { data: { text, emoji } }: UserStatusChanged): UserStatus {
  const changed = { text: text ?? status.text, emoji: emoji === undefined ? status.emoji : emoji };
  return changed.text === '' && changed.emoji === null ? NO_STATUS : changed;
}

import { badRequest, type Decider } from '#kernel';
import { type PreferencesEvent, USER_SETTINGS } from '#preferences/model';
import type { UserStatusChanged } from './status.events.js';
import { evolveStatus, NO_STATUS, type StatusEmoji, type UserStatus } from './status.js';

/** Code points (register.md §4). */
const STATUS_LENGTH_MAX = 60;

/** Undefined stays as it is. */
export interface SetStatus {
  readonly type: 'set-status';
  /** Whose status it is. */
  readonly userId: number;
  /** The actor: the user, or an administrator. */
  readonly actorId: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** Empty for none. */
  readonly text?: string | undefined;
  readonly emoji?: StatusEmoji | null | undefined;
  readonly isAway?: boolean | undefined;
}

interface Told {
  readonly status: UserStatus;
  readonly sharesPresence: boolean;
}

type StatusEvent = UserStatusChanged | Extract<PreferencesEvent, { type: 'user-settings.changed.v1' }>;

/**
 * A user's status (endpoints.md §7), in their `user-{id}` stream. Being away is the older name of not sharing one's presence.
 * @throws Refusal BAD_REQUEST
 */
export const statusDecider: Decider<Told, SetStatus, StatusEvent> = {
  initial: () => ({ status: NO_STATUS, sharesPresence: USER_SETTINGS.presence_enabled }),
  decide: ({ status, sharesPresence }, { userId, actorId: by, emoji, isAway, at, ...asked }) => {
    const text = asked.text?.trim();
    if (text !== undefined && Array.from(text).length > STATUS_LENGTH_MAX)
      throw badRequest(`status_text is too long (limit: ${STATUS_LENGTH_MAX} characters)`);
    if (text?.includes('\0') === true) throw badRequest('status_text must not contain null bytes');
    const changes = {
      ...(text === undefined || text === status.text ? undefined : { text }),
      ...(emoji === undefined || isSameEmoji(emoji, status.emoji) ? undefined : { emoji }),
    };
    const events: StatusEvent[] = [];
    if (Object.keys(changes).length > 0)
      events.push({ type: 'user-status.changed.v1', data: { userId, ...changes, by, at } });
    if (isAway !== undefined && sharesPresence === isAway)
      events.push({ type: 'user-settings.changed.v1', data: { userId, settings: { presence_enabled: !isAway }, at } });
    return events;
  },
  earlier: ({ status, sharesPresence }, { type, data }) =>
    type === 'user-settings.changed.v1'
      ? { settings: { presence_enabled: sharesPresence } }
      : {
          ...(data.text !== undefined && { text: status.text }),
          ...(data.emoji !== undefined && { emoji: status.emoji ?? null }),
        },
  evolve: (told, event) => {
    switch (event.type) {
      case 'user-status.changed.v1':
        return { ...told, status: evolveStatus(told.status, event) };
      case 'user-settings.changed.v1': {
        const { presence_enabled: sharesPresence } = event.data.settings;
        return typeof sharesPresence === 'boolean' ? { ...told, sharesPresence } : told;
      }
      default:
        // The stream has the user's other preferences as well.
        return told;
    }
  },
};

function isSameEmoji(one: StatusEmoji | null, other: StatusEmoji | null): boolean {
  return one?.name === other?.name && one?.code === other?.code && one?.type === other?.type;
}

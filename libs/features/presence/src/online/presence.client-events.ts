import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, type Presentable, type Recipient } from '#feed';
import { Directory, knewUser } from '#people';
import { type User, apiEmail } from '#users/model';
import { type PreferencesEvent, preferencesPart } from '#preferences/model';
import { type Presence, resetPresence } from './presence-book.js';
import { legacyPresence, wirePresence, type presenceEventSchemas } from './wire-presence.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof presenceEventSchemas>;

interface Body {
  readonly presence: Presence;
  /** When it held, in seconds since the epoch. */
  readonly at: number;
}

/** In larger organizations nobody is told at once who has come online: clients ask for that each minute (rules.md §11). */
const TOLD_AT_ONCE_USERS_MAX = 100;

type SettingsChanged = Extract<PreferencesEvent, { type: 'user-settings.changed.v1' }>;

/** For all users, when a user has come online. Undefined where no event is sent at once. */
export function cameOnlineEntry(directory: Directory, presence: Presence, nowMs: number): FeedEntry<Body> | undefined {
  if (directory.settings.presence_disabled) return undefined;
  let people = 0;
  for (const { isActive, botType } of directory.users()) {
    if (isActive && botType === null) people++;
    if (people > TOLD_AT_ONCE_USERS_MAX) return undefined;
  }
  return entryOf(presence, nowMs / 1000);
}

/** `presence` events (events.md §4). The log has only opting in and out; coming online is ephemeral. */
@Injectable()
export class PresenceClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<SettingsChanged> = {
    'user-settings.changed.v1': ({ data: { userId, settings, at } }) => {
      const isEnabled = settings['presence_enabled'];
      return typeof isEnabled === 'boolean' ? [entryOf(resetPresence(userId, isEnabled, at), at)] : [];
    },
  };
  override readonly types: ReadonlySet<string> = new Set(['presence']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override present({ position, entry: { body } }: Presentable<Body>, recipient: Recipient): readonly Told[] {
    const { presence, at } = body;
    const user = this.directory.user(presence.userId);
    if (user?.isActive !== true || this.directory.settings.presence_disabled) return [];
    if (!knewUser(this.directory, recipient.user, user, position)) return [];
    // Who has opted out meanwhile is not online.
    const isShared = this.directory.of(preferencesPart).setting(user.userId, 'presence_enabled');
    if (!isShared && presence.connectedAt >= Math.floor(presence.resetAt)) return [];
    return [presenceEvent(presence, user, at, recipient)];
  }
}

function entryOf(presence: Presence, at: number): FeedEntry<Body> {
  return { type: 'presence', audience: { to: 'everyone' }, body: { presence, at } };
}

function presenceEvent(presence: Presence, user: User, at: number, { settings }: Recipient): Told {
  const { userId } = user;
  if (settings.capabilities.includes('simplified_presence_events'))
    return { type: 'presence', presences: { [userId]: wirePresence(presence, user) } };
  return {
    type: 'presence',
    user_id: userId,
    email: settings.slimPresence ? undefined : apiEmail(user),
    server_timestamp: at,
    presence: { website: legacyPresence(presence) },
  };
}

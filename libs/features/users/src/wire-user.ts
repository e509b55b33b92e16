import { described, exact, integer, named, nullable, object, optional, text, truth, type Wire } from '#wire';
import { apiEmail } from './model/email.access.js';
import { avatarAddress, avatarSource, avatarUrl } from './model/avatar.js';
import { ROLE, RoleSchema } from './model/role.js';
import type { User } from './model/user.js';
import { ProfileSchema, wireProfile } from './profile/wire-profile.js';

export interface WireUserOptions {
  /** The client computes avatars of the third-party service itself, so these are null. */
  readonly clientGravatar: boolean;
  /** Adds `profile_data` to humans. */
  readonly includeProfileFields?: boolean;
  /** Whether the viewer may know the real e-mail address (`mayKnowEmail`). */
  readonly showsEmail: boolean;
}

const USER_FIELDS = {
  user_id: integer,
  delivery_email: described(nullable(text), 'The real address; null for those who may not know it.'),
  email: text,
  full_name: text,
  date_joined: described(text, 'ISO 8601.'),
  is_active: truth,
  is_owner: truth,
  is_admin: truth,
  is_guest: truth,
  is_bot: truth,
  bot_type: nullable(integer),
  bot_owner_id: nullable(integer),
  role: RoleSchema,
  avatar_url: described(nullable(text), 'Null where the client computes it.'),
  avatar_version: integer,
  is_system_bot: optional(exact(true)),
  profile_data: described(optional(ProfileSchema), 'Values by ID of the field. For people only.'),
};

/** A user in wire format (objects.md, "User"; rules.md §3, "API e-mail"). */
export const UserSchema = named('User', object({ ...USER_FIELDS, timezone: text }));
export type WireUser = Wire<typeof UserSchema>;

/** As people without an account are shown users: without the time zone. */
export const ShownUserSchema = named('ShownUser', object({ ...USER_FIELDS, timezone: optional(text) }));

/** ISO 8601 with microseconds, which some clients expect, and an offset. */
function joinedAtText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', '.000000+00:00');
}

export function wireUser(user: User, options: WireUserOptions): WireUser {
  const isBot = user.botType !== null;
  return {
    user_id: user.userId,
    delivery_email: options.showsEmail ? user.email : null,
    email: apiEmail(user),
    full_name: user.fullName,
    date_joined: joinedAtText(user.joinedAt),
    is_active: user.isActive,
    is_owner: user.role === ROLE.owner,
    is_admin: user.role <= ROLE.administrator,
    is_guest: user.role === ROLE.guest,
    is_bot: isBot,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    role: user.role,
    timezone: user.timezone,
    avatar_url: avatarUrl(user, options.clientGravatar),
    avatar_version: user.avatarVersion,
    ...(user.systemBot === undefined ? {} : { is_system_bot: true }),
    ...(options.includeProfileFields === true && !isBot ? { profile_data: wireProfile(user.profile) } : {}),
  };
}

/** A user as those without an account may know them: nothing from which more than a name and a day can be learned. */
export type PublicUser = Omit<WireUser, 'timezone'>;

export function publicUser(user: User): PublicUser {
  const { timezone: _, ...wire } = wireUser(user, { clientGravatar: false, showsEmail: false });
  return { ...wire, date_joined: wire.date_joined.slice(0, 'YYYY-MM-DD'.length) };
}

/** The picture, in events: for clients that compute the pictures of users without one, too. */
export function wireAvatar(user: User) {
  return {
    avatar_source: avatarSource(user),
    avatar_url: avatarAddress(user),
    avatar_url_medium: avatarAddress(user, 'medium'),
    avatar_version: user.avatarVersion,
  };
}

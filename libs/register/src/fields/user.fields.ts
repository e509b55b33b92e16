import {
  type Directory,
  identiconUrl,
  mediumAvatarUrl,
  type RealmPermissionName,
  ROLE,
  type User,
} from '#organization';
import { wireUser } from '#users';
import { fieldText, type FieldTexts, listText } from '../field-texts.js';
import type { Wanted } from '../wanted.js';
import { wants } from '../wanted.js';

/** Users are replaced, never changed, so their text holds as long as they live. By who computes avatars. */
const texts = { client: new WeakMap<User, string>(), server: new WeakMap<User, string>() } as const;

function textOf(user: User, avatarsBy: keyof typeof texts): string {
  let text = texts[avatarsBy].get(user);
  if (text === undefined) {
    text = JSON.stringify(wireUser(user, { clientGravatar: avatarsBy === 'client', includeProfileFields: true }));
    texts[avatarsBy].set(user, text);
  }
  return text;
}

interface Everybody {
  readonly revision: number;
  readonly bytes: Uint8Array;
}

/** Everybody sees everybody alike, so the longest part of the reply is the same for all, for each state of the organization. */
const everybody = { client: new WeakMap<Directory, Everybody>(), server: new WeakMap<Directory, Everybody>() } as const;

function everybodyIn(directory: Directory, avatarsBy: keyof typeof texts): Uint8Array {
  const known = everybody[avatarsBy].get(directory);
  if (known?.revision === directory.revision) return known.bytes;
  const active: string[] = [];
  const inactive: string[] = [];
  const systemBots: string[] = [];
  for (const user of directory.users()) {
    const list = user.systemBot !== undefined ? systemBots : user.isActive ? active : inactive;
    list.push(textOf(user, avatarsBy));
  }
  const fields = [
    fieldText('realm_users', listText(active)),
    fieldText('realm_non_active_users', listText(inactive)),
    fieldText('cross_realm_bots', listText(systemBots)),
  ];
  const bytes = Buffer.from(fields.join(','));
  everybody[avatarsBy].set(directory, { revision: directory.revision, bytes });
  return bytes;
}

/** Everybody, and the caller's own account (register.md §2, `realm_user`). */
export function addUsers(fields: FieldTexts, wanted: Wanted): void {
  if (!wants(wanted, 'realm_user')) return;
  const { directory, settings } = wanted;
  fields.addBytes(everybodyIn(directory, settings.clientGravatar ? 'client' : 'server')).addAll(ownAccount(wanted));
}

function ownAccount({ directory, viewer }: Wanted): Readonly<Record<string, unknown>> {
  const holds = (name: RealmPermissionName): boolean => directory.holds(viewer, directory.permission(name));
  const createsPublic = holds('can_create_public_channel_group');
  const createsPrivate = holds('can_create_private_channel_group');
  return {
    user_id: viewer.userId,
    email: viewer.email,
    delivery_email: viewer.email,
    full_name: viewer.fullName,
    avatar_source: 'G',
    avatar_url: identiconUrl(viewer),
    avatar_url_medium: mediumAvatarUrl(viewer, false),
    is_owner: viewer.role === ROLE.owner,
    is_admin: viewer.role <= ROLE.administrator,
    is_moderator: viewer.role <= ROLE.moderator,
    is_guest: viewer.role >= ROLE.guest,
    can_create_public_streams: createsPublic,
    can_create_private_streams: createsPrivate,
    can_create_web_public_streams: false,
    can_create_streams: createsPublic || createsPrivate,
    can_invite_others_to_realm: holds('can_invite_users_group'),
  };
}

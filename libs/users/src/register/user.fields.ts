import { Injectable } from '@nestjs/common';
import { can, fieldText, type JsonFields, listText, type RegisterContext, RegisterFields, wants } from '#feature';
import {
  type Directory,
  holdsRealmPermission,
  identiconUrl,
  isLimitedViewer,
  isSpectator,
  mayKnowUser,
  mediumAvatarUrl,
  type RealmPermissionName,
  ROLE,
  SPECTATOR,
  unknownUser,
  type User,
} from '#organization';
import { publicUser, wireUser } from '../wire-user.js';

/** Cached by record: users are replaced, never mutated. Separate caches by who computes avatars. */
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

/** All users see the same users, so the longest part of the reply is cached per state of the organization. */
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

/** The users whom a limited guest may know, and placeholders for the others where the client needs the whole list. */
function addKnown(fields: JsonFields, context: RegisterContext, avatarsBy: keyof typeof texts): void {
  const { directory, viewer } = context;
  const needsAll = !can(context, 'user_list_incomplete');
  const [active, inactive, systemBots]: [string[], string[], string[]] = [[], [], []];
  for (const user of directory.users()) {
    if (mayKnowUser(directory, viewer, user)) {
      const list = user.systemBot !== undefined ? systemBots : user.isActive ? active : inactive;
      list.push(textOf(user, avatarsBy));
    } else if (needsAll) active.push(textOf(unknownUser(user.userId), avatarsBy));
  }
  fields
    .addList('realm_users', active)
    .addList('realm_non_active_users', inactive)
    .addList('cross_realm_bots', systemBots);
}

/** All users, and the caller's own account (register.md §2, `realm_user`). */
@Injectable()
export class UserFields extends RegisterFields {
  override readonly keys = ['realm_user'];

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'realm_user')) return;
    const { directory, settings, viewer } = context;
    if (isSpectator(viewer)) {
      fields.addAll({ ...everybodyInPublic(directory), ...ownAccount(context) });
      return;
    }
    const avatarsBy = settings.clientGravatar ? 'client' : 'server';
    if (isLimitedViewer(directory, viewer)) addKnown(fields, context, avatarsBy);
    else fields.addBytes(everybodyIn(directory, avatarsBy));
    fields.addAll(ownAccount(context));
  }
}

function everybodyInPublic(directory: Directory): Readonly<Record<string, readonly object[]>> {
  const [active, inactive, systemBots]: [object[], object[], object[]] = [[], [], []];
  const isLimited = isLimitedViewer(directory, SPECTATOR);
  for (const user of directory.users()) {
    if (isLimited && !mayKnowUser(directory, SPECTATOR, user)) continue;
    const list = user.systemBot !== undefined ? systemBots : user.isActive ? active : inactive;
    list.push(publicUser(user));
  }
  return { realm_users: active, realm_non_active_users: inactive, cross_realm_bots: systemBots };
}

function ownAccount({ directory, viewer }: RegisterContext): Readonly<Record<string, unknown>> {
  const holds = (name: RealmPermissionName): boolean => holdsRealmPermission(directory, viewer, name);
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
    can_create_web_public_streams:
      directory.settings.enable_spectator_access && holds('can_create_web_public_channel_group'),
    can_create_streams: createsPublic || createsPrivate,
    can_invite_others_to_realm: holds('can_invite_users_group'),
  };
}

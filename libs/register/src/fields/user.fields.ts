import { identiconUrl, mediumAvatarUrl, realmPermission, ROLE, type User } from '#organization';
import { wireUser } from '#users';
import type { FieldTexts } from '../field-texts.js';
import type { Wanted } from '../wanted.js';
import { wants } from '../wanted.js';

/** Users are replaced, never changed, so their text holds as long as they live. By who computes avatars. */
const texts = { client: new WeakMap<User, string>(), server: new WeakMap<User, string>() } as const;

function textOf(user: User, clientGravatar: boolean): string {
  const known = clientGravatar ? texts.client : texts.server;
  let text = known.get(user);
  if (text === undefined) {
    text = JSON.stringify(wireUser(user, { clientGravatar, includeProfileFields: true }));
    known.set(user, text);
  }
  return text;
}

/** Everybody, and the caller's own account (register.md §2, `realm_user`). */
export function addUsers(fields: FieldTexts, wanted: Wanted): void {
  if (!wants(wanted, 'realm_user')) return;
  const { clientGravatar } = wanted.settings;
  const active: string[] = [];
  const inactive: string[] = [];
  const systemBots: string[] = [];
  for (const user of wanted.directory.users()) {
    const list = user.systemBot !== undefined ? systemBots : user.isActive ? active : inactive;
    list.push(textOf(user, clientGravatar));
  }
  fields
    .addList('realm_users', active)
    .addList('realm_non_active_users', inactive)
    .addList('cross_realm_bots', systemBots)
    .addAll(ownAccount(wanted));
}

function ownAccount({ directory, viewer }: Wanted): Readonly<Record<string, unknown>> {
  const holds = (name: Parameters<typeof realmPermission>[0]): boolean =>
    directory.holds(viewer, realmPermission(name));
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

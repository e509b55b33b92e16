import { Injectable } from '@nestjs/common';
import { CachedRuns, can, type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { Slices } from '#kernel';
import { type Directory, isLimitedViewer, knowing, unknownUser } from '#people';
import { holdsRealmPermission, type RealmPermissionName } from '#realm/model';
import { apiEmail, emailVisibilityOf, isEmailShownTo, mayKnowEmail } from '../model/email.access.js';
import { Gravatar, avatarAddress, avatarSource } from '../model/avatar.js';
import { isSpectator, SPECTATOR } from '../model/spectator.js';
import { ROLE } from '../model/role.js';
import type { User } from '../model/user.js';
import { publicUser, wireUser } from '../wire-user.js';

/** Cached by record: users are replaced, never mutated. Separate caches by who computes avatars, and whether the address is shown. */
const texts = {
  client: { shown: new WeakMap<User, string>(), hidden: new WeakMap<User, string>() },
  server: { shown: new WeakMap<User, string>(), hidden: new WeakMap<User, string>() },
} as const;

type AvatarsBy = keyof typeof texts;

function textOf(user: User, avatarsBy: AvatarsBy, showsEmail: boolean): string {
  const known = texts[avatarsBy][showsEmail ? 'shown' : 'hidden'];
  let text = known.get(user);
  if (text === undefined) {
    const options = { clientGravatar: avatarsBy === 'client', includeProfileFields: true, showsEmail };
    text = JSON.stringify(wireUser(user, options));
    known.set(user, text);
  }
  return text;
}

/**
 * The longest part of the reply is kept: megabytes for each who computes avatars, and each set of addresses that is hidden from
 * some role.
 */
class UserLists {
  readonly #lists: Record<ListName, CachedRuns<User>>;
  /** Revision of the organization that the lists are of. */
  #revision = -1;

  constructor(
    private readonly avatarsBy: AvatarsBy,
    isShown: (user: User) => boolean,
  ) {
    const list = () =>
      new CachedRuns<User>(
        ({ userId }) => userId,
        (user) => textOf(user, avatarsBy, isShown(user)),
      );
    this.#lists = { realm_users: list(), realm_non_active_users: list(), cross_realm_bots: list() };
  }

  async warm(directory: Directory): Promise<void> {
    if (this.#revision === directory.revision) return;
    const slices = new Slices();
    for (const [name, items] of listed(directory.users())) await this.#lists[name].warm(items, slices);
  }

  /** @param own the viewer, who sees the own address whoever else does */
  addTo(fields: JsonFields, directory: Directory, own: User): void {
    if (this.#revision !== directory.revision) {
      for (const [name, items] of listed(directory.users())) this.#lists[name].set(items);
      this.#revision = directory.revision;
    }
    // The lists have the directory's record, and not the one that came with the request.
    const item = directory.user(own.userId) ?? own;
    const ownText = { item, text: textOf(item, this.avatarsBy, true) };
    for (const name of LISTS)
      fields.addListBytes(
        name,
        this.#lists[name].bytes(name === 'realm_users' && own.apiEmail !== undefined ? ownText : undefined),
      );
  }
}

/** By who computes avatars, and the visibilities that hide addresses from the viewers. */
const everybody = new WeakMap<Directory, Map<string, UserLists>>();

function everybodyFor(directory: Directory, { role }: User, avatarsBy: AvatarsBy): UserLists {
  const hiding = [...directory.emailHidingCounts]
    .filter(([visibility, count]) => count > 0 && !isEmailShownTo(role, visibility))
    .map(([visibility]) => visibility)
    .sort();
  const key = [avatarsBy, ...hiding].join();
  let known = everybody.get(directory);
  if (known === undefined) everybody.set(directory, (known = new Map<string, UserLists>()));
  let lists = known.get(key);
  if (lists === undefined) {
    const isShown = (user: User): boolean => !hiding.includes(emailVisibilityOf(user));
    known.set(key, (lists = new UserLists(avatarsBy, isShown)));
  }
  return lists;
}

const LISTS = ['realm_users', 'realm_non_active_users', 'cross_realm_bots'] as const;
type ListName = (typeof LISTS)[number];

/** The users by the list that contains them. */
function listed(users: Iterable<User>): readonly (readonly [ListName, readonly User[]])[] {
  const [active, inactive, systemBots]: [User[], User[], User[]] = [[], [], []];
  for (const user of users) {
    const list = user.systemBot !== undefined ? systemBots : user.isActive ? active : inactive;
    list.push(user);
  }
  return [
    ['realm_users', active],
    ['realm_non_active_users', inactive],
    ['cross_realm_bots', systemBots],
  ];
}

/** The users whom a limited guest may know, and placeholders for the others where the client needs the whole list. */
function* knownTo({ directory, viewer }: RegisterContext, withPlaceholders: boolean): IterableIterator<User> {
  const isKnown = knowing(directory, viewer);
  for (const user of directory.users()) {
    if (isKnown(user)) yield user;
    else if (withPlaceholders) yield unknownUser(user.userId);
  }
}

function needsAll(context: RegisterContext): boolean {
  return !can(context, 'user_list_incomplete');
}

/** All users, and the caller's own account (register.md §2, `realm_user`). */
@Injectable()
export class UserFields extends RegisterFields {
  override readonly keys = ['realm_user'];

  constructor(private readonly gravatar: Gravatar) {
    super();
  }

  override async warm(context: RegisterContext): Promise<void> {
    const { directory, viewer } = context;
    if (!wants(context, 'realm_user') || isSpectator(viewer)) return;
    const avatarsBy = this.#avatarsBy(context);
    if (!isLimitedViewer(directory, viewer)) {
      await everybodyFor(directory, viewer, avatarsBy).warm(directory);
      return;
    }
    const slices = new Slices();
    for (const user of knownTo(context, needsAll(context))) {
      textOf(user, avatarsBy, mayKnowEmail(viewer, user));
      if (slices.isOver) await slices.next();
    }
  }

  #avatarsBy({ settings }: RegisterContext): AvatarsBy {
    return this.gravatar.isComputed(settings.clientGravatar) ? 'client' : 'server';
  }

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (!wants(context, 'realm_user')) return;
    const { directory, viewer } = context;
    if (isSpectator(viewer)) {
      fields.addAll({ ...everybodyInPublic(directory), ...ownAccount(context) });
      return;
    }
    const avatarsBy = this.#avatarsBy(context);
    if (isLimitedViewer(directory, viewer)) {
      for (const [name, users] of listed(knownTo(context, needsAll(context))))
        fields.addList(
          name,
          users.map((user) => textOf(user, avatarsBy, mayKnowEmail(viewer, user))),
        );
    } else everybodyFor(directory, viewer, avatarsBy).addTo(fields, directory, viewer);
    fields.addAll(ownAccount(context));
  }
}

function everybodyInPublic(directory: Directory): Readonly<Record<string, readonly object[]>> {
  const isKnown = knowing(directory, SPECTATOR);
  const known = [...directory.users()].filter(isKnown);
  return Object.fromEntries(listed(known).map(([name, users]) => [name, users.map(publicUser)]));
}

function ownAccount({ directory, viewer }: RegisterContext): Readonly<Record<string, unknown>> {
  const holds = (name: RealmPermissionName): boolean => holdsRealmPermission(directory, viewer, name);
  const createsPublic = holds('can_create_public_channel_group');
  const createsPrivate = holds('can_create_private_channel_group');
  return {
    user_id: viewer.userId,
    email: apiEmail(viewer),
    delivery_email: viewer.email,
    full_name: viewer.fullName,
    avatar_source: avatarSource(viewer),
    avatar_url: avatarAddress(viewer),
    avatar_url_medium: avatarAddress(viewer, 'medium'),
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

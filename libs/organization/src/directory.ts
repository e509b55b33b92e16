import type { Recorded } from '#event-store';
import { streams } from '#event-store';
import { unreachable } from '#kernel';
import type { ChannelPermission } from './channel-permissions.js';
import type { GroupSetting } from './group-setting.js';
import { evolveLinkifiers, NO_LINKIFIERS, type Linkifiers } from './linkifiers.js';
import type { OrganizationEvent } from './organization.events.js';
import type { RealmPermissionName } from './organization-settings.js';
import { changedRealm, NEW_REALM, type RealmSettings, type RealmState } from './realm-settings.js';
import type {
  Channel,
  DirectorySnapshot,
  Group,
  Organization,
  Subscription,
  SubscriptionSpan,
  User,
} from './directory.records.js';
import { directSystemGroups, hasSystemRole } from './role-membership.js';
import { PreferencesBook } from './preferences-book.js';
import { preferencesEventTypes, type PreferencesEvent } from './preferences.events.js';
import { coversMessage, coversPosition } from './subscription-spans.js';

const PREFERENCES_FACTS: ReadonlySet<string> = new Set(preferencesEventTypes.map(({ name }) => name));

const NEW_SUBSCRIPTION = {
  isMuted: false,
  pinToTop: false,
  desktopNotifications: null,
  audibleNotifications: null,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
} as const;

/**
 * The organization in memory: users with their preferences, channels, subscriptions and groups, folded from the log (DESIGN, decision 7).
 * It is small and hot; permission checks read nothing else. Records are replaced, never changed, so a reader may keep one.
 */
export class Directory {
  /** Position of the last event taken in, of whatever stream. */
  position = 0;
  /** Revision of the `organization` stream's last event taken in; -1 before the first. */
  revision = -1;
  /** ID of the newest message sent so far; 0 before the first. */
  lastMessageId = 0;
  /** What users decided for themselves. */
  readonly preferences = new PreferencesBook();

  #organization: Organization | null = null;
  #realm: RealmState = NEW_REALM;
  #linkifiers: Linkifiers = NO_LINKIFIERS;
  readonly #users = new Map<number, User>();
  readonly #userIdsByEmail = new Map<string, number>();
  readonly #userIdsByName = new Map<string, number[]>();
  readonly #channels = new Map<number, Channel>();
  readonly #channelIdsByName = new Map<string, number>();
  readonly #groups = new Map<number, Group>();
  /** By channel, then by user; inactive subscriptions included. */
  readonly #byChannel = new Map<number, Map<number, Subscription>>();
  /** By user, then by channel. */
  readonly #byUser = new Map<number, Map<number, Subscription>>();
  readonly #subscriberCounts = new Map<number, number>();

  /** The organization. @throws Error before it was created */
  get organization(): Organization {
    if (this.#organization === null) throw new Error('The organization does not exist yet.');
    return this.#organization;
  }

  /** What the organization has set. */
  get settings(): RealmSettings {
    return this.#realm.settings;
  }

  /** Who holds one of the organization's permissions. */
  permission(name: RealmPermissionName): GroupSetting {
    return this.#realm.permissions[name];
  }

  get linkifiers(): Linkifiers {
    return this.#linkifiers;
  }

  get exists(): boolean {
    return this.#organization !== null;
  }

  /** Takes in the next event of the log, of any stream. */
  apply(event: Recorded): void {
    if (event.stream === streams.messages) {
      this.lastMessageId = event.revision + 1;
      if (typeof event.data.channelId === 'number') this.#placed(event.data.channelId, this.lastMessageId);
    } else if (event.stream === streams.organization) {
      this.evolve({ type: event.type, data: event.data } as OrganizationEvent, event.position);
      this.revision = event.revision;
    } else if (event.type === 'messages.moved.v1' && typeof event.data.to.channelId === 'number') {
      this.#left(event.data.from.channelId, event.data.firstLeft);
      this.#placed(event.data.to.channelId, event.data.firstId);
    } else if (event.type === 'message.deleted.v1' || event.type === 'messages.deleted.v1') {
      this.#left(event.data.place.channelId, event.data.firstLeft);
    } else if (PREFERENCES_FACTS.has(event.type)) {
      this.preferences.evolve({ type: event.type, data: event.data } as PreferencesEvent, this.lastMessageId);
    }
    this.position = event.position;
  }

  /** Folds one fact of the `organization` stream that stands at this position of the log. */
  evolve(event: OrganizationEvent, position: number): void {
    switch (event.type) {
      case 'organization.created.v1': {
        const { uuid, name, at, groups } = event.data;
        this.#organization = { uuid, name, createdAt: at };
        for (const group of groups)
          this.#groups.set(group.groupId, { ...group, isSystemGroup: true, directMembers: [] });
        return;
      }
      case 'organization.settings-changed.v1':
        this.#realm = changedRealm(this.#realm, event.data);
        return;
      case 'linkifier.added.v1':
      case 'linkifier.changed.v1':
      case 'linkifier.removed.v1':
      case 'linkifiers.reordered.v1':
        this.#linkifiers = evolveLinkifiers(this.#linkifiers, event);
        return;
      case 'user.created.v1': {
        const { at, ...data } = event.data;
        this.#putUser({ ...data, isActive: true, avatarVersion: 1, joinedAt: at });
        return;
      }
      case 'user.api-key-issued.v1': {
        const { userId, generation, hash } = event.data;
        this.#putUser({ ...this.#mustHaveUser(userId), apiKey: { generation, hash } });
        return;
      }
      case 'channel.created.v1': {
        const { at, permissions, ...data } = event.data;
        this.#putChannel({
          ...data,
          permissions: permissions as Record<ChannelPermission, GroupSetting>,
          createdAt: at,
          isArchived: false,
          firstMessageId: null,
        });
        return;
      }
      case 'channel.subscribed.v1':
        for (const { userId, color } of event.data.subscribers)
          this.#subscribe(event.data.channelId, userId, color, position);
        return;
      case 'channel.unsubscribed.v1':
        for (const userId of event.data.userIds) this.#unsubscribe(event.data.channelId, userId, position);
        return;
      default:
        unreachable(event);
    }
  }

  user(userId: number): User | undefined {
    return this.#users.get(userId);
  }

  /** By e-mail address, whatever its case. */
  userByEmail(email: string): User | undefined {
    const userId = this.#userIdsByEmail.get(email.toLowerCase());
    return userId === undefined ? undefined : this.#users.get(userId);
  }

  /** Everybody with exactly this full name. */
  usersByName(fullName: string): readonly User[] {
    return (this.#userIdsByName.get(fullName) ?? []).map((userId) => this.#mustHaveUser(userId));
  }

  /** Everybody, bots and deactivated accounts included, by id. */
  users(): IterableIterator<User> {
    return this.#users.values();
  }

  systemBot(kind: NonNullable<User['systemBot']>): User {
    for (const user of this.#users.values()) if (user.systemBot === kind) return user;
    throw new Error(`The system bot ${kind} does not exist.`);
  }

  channel(channelId: number): Channel | undefined {
    return this.#channels.get(channelId);
  }

  /** By name, whatever its case. */
  channelByName(name: string): Channel | undefined {
    const channelId = this.#channelIdsByName.get(name.toLowerCase());
    return channelId === undefined ? undefined : this.#channels.get(channelId);
  }

  /** Every channel, by id. */
  channels(): IterableIterator<Channel> {
    return this.#channels.values();
  }

  group(groupId: number): Group | undefined {
    return this.#groups.get(groupId);
  }

  groups(): IterableIterator<Group> {
    return this.#groups.values();
  }

  /** The next free ids. */
  get nextUserId(): number {
    return this.#users.size + 1;
  }

  get nextChannelId(): number {
    return this.#channels.size + 1;
  }

  /** What the user has with the channel, active or not; undefined if they never were subscribed. */
  subscription(userId: number, channelId: number): Subscription | undefined {
    return this.#byUser.get(userId)?.get(channelId);
  }

  isSubscribed(userId: number, channelId: number): boolean {
    return this.#byUser.get(userId)?.get(channelId)?.active === true;
  }

  /** The user's subscriptions, former ones included. */
  subscriptionsOf(userId: number): Iterable<Subscription> {
    return this.#byUser.get(userId)?.values() ?? [];
  }

  /** Ids of the active subscribers, ascending. */
  subscriberIds(channelId: number): number[] {
    const ids: number[] = [];
    for (const subscription of this.#byChannel.get(channelId)?.values() ?? []) {
      if (subscription.active) ids.push(subscription.userId);
    }
    return ids.sort((a, b) => a - b);
  }

  /** Ids of those who were subscribed right after the fact at this position, ascending. */
  subscriberIdsAt(channelId: number, position: number): number[] {
    const ids: number[] = [];
    for (const { userId } of this.#byChannel.get(channelId)?.values() ?? []) {
      if (this.wasSubscribedAt(userId, channelId, position)) ids.push(userId);
    }
    return ids.sort((a, b) => a - b);
  }

  subscriberCount(channelId: number): number {
    return this.#subscriberCounts.get(channelId) ?? 0;
  }

  /** Whether the user was subscribed to the channel when the fact at this position was recorded. */
  wasSubscribedAt(userId: number, channelId: number, position: number): boolean {
    return coversPosition(this.#byUser.get(userId)?.get(channelId)?.spans ?? [], position);
  }

  /** Whether the user was subscribed to the channel when the message of this ID was sent. */
  wasSubscribedForMessage(userId: number, channelId: number, messageId: number): boolean {
    return coversMessage(this.#byUser.get(userId)?.get(channelId)?.spans ?? [], messageId);
  }

  /** Whether the user holds the permission, through any depth of groups (rules.md §3). Deactivated users hold none. */
  holds(user: User, setting: GroupSetting): boolean {
    if (!user.isActive) return false;
    if (typeof setting === 'number') return this.isMember(user, setting);
    return (
      setting.directMembers.includes(user.userId) ||
      setting.directSubgroups.some((groupId) => this.isMember(user, groupId))
    );
  }

  /** Whether the user belongs to the group, directly or through its subgroups. */
  isMember(user: User, groupId: number, visited: ReadonlySet<number> = new Set()): boolean {
    const group = this.#groups.get(groupId);
    if (group === undefined || visited.has(groupId)) return false;
    if (group.isSystemGroup) return hasSystemRole(user, group.name);
    if (group.directMembers.includes(user.userId)) return true;
    return group.directSubgroups.some((subgroup) => this.isMember(user, subgroup, new Set([...visited, groupId])));
  }

  /** Ids of the direct members, ascending; of a system group, the users with exactly its role. */
  directMemberIds(group: Group): number[] {
    if (!group.isSystemGroup) return [...group.directMembers];
    const ids: number[] = [];
    for (const user of this.#users.values()) if (this.isDirectMember(user, group)) ids.push(user.userId);
    return ids;
  }

  /** Whether `directMemberIds` lists the user. */
  isDirectMember(user: User, group: Group): boolean {
    if (!group.isSystemGroup) return group.directMembers.includes(user.userId);
    return user.isActive && user.systemBot === undefined && directSystemGroups(user).includes(group.name);
  }

  snapshot(): DirectorySnapshot {
    return {
      version: 1,
      position: this.position,
      revision: this.revision,
      lastMessageId: this.lastMessageId,
      organization: this.#organization,
      realm: this.#realm,
      linkifiers: this.#linkifiers,
      users: [...this.#users.values()],
      channels: [...this.#channels.values()],
      groups: [...this.#groups.values()],
      subscriptions: [...this.#byChannel.values()].flatMap((byUser) => [...byUser.values()]),
      preferences: this.preferences.snapshot(),
    };
  }

  /** Fills an empty directory from a snapshot. */
  restore(snapshot: DirectorySnapshot): void {
    this.position = snapshot.position;
    this.revision = snapshot.revision;
    this.lastMessageId = snapshot.lastMessageId;
    this.#organization = snapshot.organization;
    this.#realm = changedRealm(NEW_REALM, snapshot.realm ?? {});
    this.#linkifiers = snapshot.linkifiers ?? NO_LINKIFIERS;
    for (const group of snapshot.groups) this.#groups.set(group.groupId, group);
    for (const user of snapshot.users) this.#putUser(user);
    for (const channel of snapshot.channels) this.#putChannel(channel);
    for (const subscription of snapshot.subscriptions) this.#putSubscription(subscription);
    this.preferences.restore(snapshot.preferences);
  }

  #putUser(user: User): void {
    const before = this.#users.get(user.userId);
    this.#users.set(user.userId, user);
    this.#userIdsByEmail.set(user.email.toLowerCase(), user.userId);
    if (before?.fullName === user.fullName) return;
    const namesakes = this.#userIdsByName.get(user.fullName);
    if (namesakes === undefined) this.#userIdsByName.set(user.fullName, [user.userId]);
    else namesakes.push(user.userId);
  }

  #putChannel(channel: Channel): void {
    this.#channels.set(channel.channelId, channel);
    this.#channelIdsByName.set(channel.name.toLowerCase(), channel.channelId);
  }

  #putSubscription(subscription: Subscription): void {
    const { userId, channelId, active } = subscription;
    const wasActive = this.isSubscribed(userId, channelId);
    entryOf(this.#byChannel, channelId).set(userId, subscription);
    entryOf(this.#byUser, userId).set(channelId, subscription);
    this.#subscriberCounts.set(channelId, this.subscriberCount(channelId) + Number(active) - Number(wasActive));
  }

  #subscribe(channelId: number, userId: number, color: string, position: number): void {
    const before = this.subscription(userId, channelId);
    if (before?.active === true) return;
    const span: SubscriptionSpan = {
      fromId: this.lastMessageId + 1,
      untilId: null,
      fromPosition: position,
      untilPosition: null,
    };
    this.#putSubscription(
      before === undefined
        ? { ...NEW_SUBSCRIPTION, channelId, userId, active: true, color, spans: [span] }
        : { ...before, active: true, spans: [...before.spans, span] },
    );
  }

  #unsubscribe(channelId: number, userId: number, position: number): void {
    const before = this.subscription(userId, channelId);
    if (before?.active !== true) return;
    const spans = before.spans.map((span) =>
      span.untilId === null ? { ...span, untilId: this.lastMessageId, untilPosition: position } : span,
    );
    this.#putSubscription({ ...before, active: false, spans });
  }

  /** A message came to stand in the channel. */
  #placed(channelId: number, messageId: number): void {
    const channel = this.#channels.get(channelId);
    if (channel === undefined || (channel.firstMessageId !== null && channel.firstMessageId <= messageId)) return;
    this.#channels.set(channelId, { ...channel, firstMessageId: messageId });
  }

  /** The oldest messages of the channel are gone: this one is the oldest now, or none. */
  #left(channelId: number | undefined, firstLeft: number | null | undefined): void {
    const channel = channelId === undefined ? undefined : this.#channels.get(channelId);
    if (channel === undefined || firstLeft === undefined) return;
    this.#channels.set(channel.channelId, { ...channel, firstMessageId: firstLeft });
  }

  #mustHaveUser(userId: number): User {
    const user = this.#users.get(userId);
    if (user === undefined) throw new Error(`There is no user ${userId}.`);
    return user;
  }
}

function entryOf<Inner>(map: Map<number, Map<number, Inner>>, id: number): Map<number, Inner> {
  let inner = map.get(id);
  if (inner === undefined) map.set(id, (inner = new Map()));
  return inner;
}

/** The channel in which new channels are announced: the oldest default channel. */
export function announcementsChannel(directory: Directory): Channel | undefined {
  for (const channel of directory.channels()) if (channel.isDefault && !channel.isArchived) return channel;
  return undefined;
}

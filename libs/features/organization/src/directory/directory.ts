import type { RecordedEvent, RecordedOf } from '#event-store';
import { streams } from '#event-store';
import type { ReadonlyIdSet } from '#kernel';
import { BotBook } from '../bots/bot-book.js';
import type { Bot } from '../bots/bot.js';
import { ChannelBook } from '../channels/channel-book.js';
import type { Channel } from '../channels/channel.js';
import { DomainBook } from '../domains/domain-book.js';
import type { Domains } from '../domains/domains.js';
import { DefaultGroupBook } from '../default-groups/default-group-book.js';
import type { DefaultGroups } from '../default-groups/default-groups.js';
import { ExportBook } from '../exports/export-book.js';
import type { Exports } from '../exports/exports.js';
import { CustomEmojiBook } from '../emoji/custom-emoji-book.js';
import type { AllCustomEmoji } from '../emoji/custom-emoji.js';
import { FolderBook } from '../folders/folder-book.js';
import type { ChannelFolders } from '../folders/folders.js';
import { GroupBook } from '../groups/group-book.js';
import type { GroupSetting } from '../groups/group-setting.js';
import type { Group } from '../groups/group.js';
import { InvitationBook } from '../invitations/invitation-book.js';
import { LinkifierBook } from '../linkifiers/linkifier-book.js';
import type { Linkifiers } from '../linkifiers/linkifiers.js';
import { ProfileFieldBook } from '../profile-fields/profile-field-book.js';
import type { ProfileFields } from '../profile-fields/profile-fields.js';
import { BrandingBook } from '../pictures/branding-book.js';
import type { Branding, BrandingPicture } from '../pictures/branding.js';
import { PlaygroundBook } from '../playgrounds/playground-book.js';
import type { Playgrounds } from '../playgrounds/playgrounds.js';
import type { UserSettingValue } from '../preferences/user-settings.js';
import { PreferencesBook } from '../preferences/preferences-book.js';
import { type PreferencesEvent, preferencesEventTypes } from '../preferences/preferences.events.js';
import { type Organization, RealmBook } from '../realm/realm-book.js';
import type { RealmPermissionName } from '../realm/realm-permissions.js';
import type { RealmSettings } from '../realm/changeable-settings.js';
import { SubscriptionBook } from '../subscriptions/subscription-book.js';
import type { Subscription } from '../subscriptions/subscription.js';
import { DirectBook } from '../users/direct-book.js';
import { UserBook } from '../users/user-book.js';
import type { Avatar, User } from '../users/user.js';
import { handle, type Handlers } from './directory-part.js';
import type { DirectorySnapshot } from './directory-snapshot.js';
import { type OrganizationEvent, organizationEventTypes } from './organization.events.js';

const PREFERENCES_FACTS: ReadonlySet<string> = new Set(preferencesEventTypes.map(({ name }) => name));

/** Names of the event types that the directory folds. */
export const directoryEventTypes: readonly string[] = [...organizationEventTypes, ...preferencesEventTypes].map(
  ({ name }) => name,
);

/**
 * The organization in memory: users with their preferences, channels, subscriptions and groups, folded from the log. It
 * is small and hot; permission checks read nothing else. Records are replaced, never mutated, so a reader may keep one.
 * Each part has its own book with its events, state and snapshot; this class combines them.
 */
export class Directory {
  /** Position of the last applied event, of any stream. */
  position = 0;
  /** The stream that `revision` belongs to. */
  readonly stream = streams.organization;
  /** Revision of the last applied event of the `organization` stream; -1 before the first. */
  revision = -1;
  /** ID of the newest message sent so far; 0 before the first. */
  lastMessageId = 0;
  /** Users' own preferences. */
  readonly preferences = new PreferencesBook();

  readonly #listeners = new Set<(event: RecordedEvent) => void>();
  /** Positions of deactivations that have not been applied yet, by user. */
  readonly #foreseen = new Map<number, number>();
  readonly #foreseeing = new Set<(userId: number) => void>();
  readonly #realm = new RealmBook();
  readonly #linkifiers = new LinkifierBook();
  readonly #domains = new DomainBook();
  readonly #playgrounds = new PlaygroundBook();
  readonly #folders = new FolderBook();
  readonly #defaultGroups = new DefaultGroupBook();
  readonly #exports = new ExportBook();
  readonly #customEmoji = new CustomEmojiBook();
  readonly #branding = new BrandingBook();
  readonly #profileFields = new ProfileFieldBook();
  readonly #users = new UserBook();
  readonly #bots = new BotBook();
  readonly #directs = new DirectBook();
  readonly #channels = new ChannelBook();
  readonly #subscriptions = new SubscriptionBook();
  readonly #invitations = new InvitationBook();
  readonly #groups = new GroupBook(this.#users);

  /** Every event type of the `organization` stream is handled, or this does not compile. */
  readonly #on: Handlers<OrganizationEvent> = {
    ...this.#linkifiers.on,
    ...this.#domains.on,
    ...this.#playgrounds.on,
    ...this.#folders.on,
    ...this.#defaultGroups.on,
    ...this.#exports.on,
    ...this.#customEmoji.on,
    ...this.#branding.on,
    ...this.#invitations.on,
    ...this.#profileFields.on,
    ...this.#users.onProfile,
    ...this.#users.on,
    ...this.#bots.on,
    ...this.#channels.on,
    ...this.#subscriptions.on,
    ...this.#realm.on,
    ...this.#groups.on,
    'organization.created.v1': (event, at) => {
      this.#realm.on['organization.created.v1'](event, at);
      this.#groups.on['organization.created.v1'](event, at);
    },
    'user.created.v1': (event, at) => {
      this.#users.on['user.created.v1'](event, at);
      const { userId, systemBot } = event.data;
      if (this.settings.waiting_period_threshold > 0 && systemBot === undefined) this.#users.beginWaiting(userId);
    },
    'profile-field.changed.v1': (event, at) => {
      this.#profileFields.on['profile-field.changed.v1'](event, at);
      this.#users.onProfile['profile-field.changed.v1'](event, at);
    },
    'profile-field.removed.v1': (event, at) => {
      this.#profileFields.on['profile-field.removed.v1'](event, at);
      this.#users.onProfile['profile-field.removed.v1'](event, at);
    },
    'user.deactivated.v1': (event, at) => {
      this.#users.on['user.deactivated.v1'](event, at);
      this.#subscriptions.on['user.deactivated.v1'](event, at);
    },
    'user.reactivated.v1': (event, at) => {
      this.#users.on['user.reactivated.v1'](event, at);
      this.#subscriptions.on['user.reactivated.v1'](event, at);
    },
  };

  /**
   * The organization.
   * @throws Error before it is created
   */
  get organization(): Organization {
    const { organization } = this.#realm;
    if (organization === null) throw new Error('The organization does not exist yet.');
    return organization;
  }

  get exists(): boolean {
    return this.#realm.organization !== null;
  }

  /** Whether the organization is deactivated: nobody has access. */
  get isDeactivated(): boolean {
    return this.#realm.organization?.deactivated !== undefined;
  }

  /** Event queues that were registered before this position have ended with a deactivation of the organization. */
  get queuesEndedAt(): number {
    return this.#realm.organization?.queuesEndedAt ?? 0;
  }

  /** Settings of the organization. */
  get settings(): RealmSettings {
    return this.#realm.state.settings;
  }

  /** Default settings of new users that differ from the server's. */
  get userDefaults(): Readonly<Record<string, UserSettingValue>> {
    return this.#realm.state.userDefaults;
  }

  /** Holders of one of the organization's permissions. */
  permission(name: RealmPermissionName): GroupSetting {
    return this.#realm.state.permissions[name];
  }

  get linkifiers(): Linkifiers {
    return this.#linkifiers.linkifiers;
  }

  get domains(): Domains {
    return this.#domains.domains;
  }

  get playgrounds(): Playgrounds {
    return this.#playgrounds.playgrounds;
  }

  get folders(): ChannelFolders {
    return this.#folders.folders;
  }

  get defaultGroups(): DefaultGroups {
    return this.#defaultGroups.groups;
  }

  /** Exports of the organization's data, the oldest first. */
  get exports(): Exports {
    return this.#exports.exports;
  }

  /** Custom emoji, including deactivated ones. */
  get customEmoji(): AllCustomEmoji {
    return this.#customEmoji.emoji;
  }

  /** Icon and logos. */
  get branding(): Branding {
    return this.#branding.branding;
  }

  /** The icon or logo of this name, as long as it is in use. */
  brandingNamed(name: string): BrandingPicture | undefined {
    return this.#branding.named(name);
  }

  /** The uploaded picture of a user of this name, as long as it is in use. */
  avatarNamed(name: string): Avatar | undefined {
    return this.#users.avatarNamed(name);
  }

  /** Open invitations. */
  get invitations(): Pick<InvitationBook, 'all' | 'get' | 'mailsOnDayOf' | 'nextId' | 'size'> {
    return this.#invitations;
  }

  /** Fields of people's profiles, in their order. */
  get profileFields(): ProfileFields {
    return this.#profileFields.state;
  }

  /** Applies the next event of the log, of any stream. */
  apply(event: RecordedEvent): void {
    if (event.stream === streams.organization) {
      this.evolve(event as RecordedOf<OrganizationEvent>, event.position);
      this.revision = event.revision;
    } else if (PREFERENCES_FACTS.has(event.type)) {
      this.preferences.evolve(event as RecordedOf<PreferencesEvent>, this.lastMessageId);
    } else {
      if (event.stream === streams.messages) {
        this.lastMessageId = event.revision + 1;
        this.#directs.onSend(event);
      }
      this.#channels.onMessageEvent(event);
    }
    this.position = event.position;
    if (event.type === 'user.deactivated.v1') this.#isSeen(event);
    for (const listener of this.#listeners) listener(event);
  }

  /**
   * Takes note of an event of the log that cannot be applied yet, since read models are behind. A deactivation ends the access of
   * an account at once, however long they take. Must be called in log order.
   */
  foresee({ type, data, position }: RecordedEvent): void {
    if (type !== 'user.deactivated.v1' && type !== 'user.reactivated.v1') return;
    const { userId } = data as { readonly userId: number };
    if (type === 'user.reactivated.v1') {
      this.#foreseen.delete(userId);
      return;
    }
    this.#foreseen.set(userId, position);
    for (const listener of this.#foreseeing) listener(userId);
  }

  #isSeen({ data, position }: RecordedEvent): void {
    const { userId } = data as { readonly userId: number };
    if (this.#foreseen.get(userId) === position) this.#foreseen.delete(userId);
  }

  /** Whether the account can be used: it is active, and no later event of the log is known to deactivate it. */
  isUsable({ userId, isActive }: User): boolean {
    return isActive && !this.#foreseen.has(userId);
  }

  /**
   * Calls the listener for each account whose deactivation is foreseen.
   * @returns a function that unsubscribes
   */
  listenForEnds(listener: (userId: number) => void): () => void {
    this.#foreseeing.add(listener);
    return () => this.#foreseeing.delete(listener);
  }

  /**
   * Calls the listener after each applied event, of any stream.
   * @returns a function that unsubscribes
   */
  listen(listener: (event: RecordedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Folds an event of the `organization` stream at this position of the log. */
  evolve(event: OrganizationEvent, position: number): void {
    handle(this.#on, event, { position, lastMessageId: this.lastMessageId });
  }

  user(userId: number): User | undefined {
    return this.#users.get(userId);
  }

  /** By what stands for the address of a user who hides it, regardless of case. */
  userByApiEmail(address: string): User | undefined {
    return this.#users.byApiEmail(address);
  }

  /** How many users have chosen each visibility of their addresses (`EMAIL_VISIBILITY`), except for everyone. */
  get emailHidingCounts(): ReadonlyMap<number, number> {
    return this.#users.hidingCounts;
  }

  /** By real e-mail address, regardless of case; what a viewer may look up is `userByAddress`. */
  userByEmail(email: string): User | undefined {
    return this.#users.byEmail(email);
  }

  /** Users with exactly this full name. */
  usersByName(fullName: string): readonly User[] {
    return this.#users.byName(fullName);
  }

  /** IDs of users who are no full members yet as members (`waiting_period_threshold`). */
  get waitingUserIds(): ReadonlySet<number> {
    return this.#users.waitingIds;
  }

  /** Ids of deactivated users; another set after each change. */
  get inactiveUserIds(): ReadonlyIdSet {
    return this.#users.inactiveIds;
  }

  /** Grows when a user becomes active or inactive, becomes a full member or gets another role: then members of system groups may have changed. */
  get userStandings(): number {
    return this.#users.standings;
  }

  /** All users, including bots and deactivated accounts, by id. */
  users(): IterableIterator<User> {
    return this.#users.all();
  }

  /** All bots, including the server's own and deactivated ones, by id. */
  bots(): IterableIterator<User> {
    return this.#users.bots();
  }

  /** Settings of a bot. */
  bot(userId: number): Bot {
    return this.#bots.get(userId);
  }

  /** Whether both users have been in a direct conversation. @param before only those that began before this position */
  haveMet(userId: number, otherId: number, before?: number): boolean {
    return this.#directs.haveMet(userId, otherId, before);
  }

  /** Participants of each direct conversation that the user has been in, ascending; without notes to oneself. */
  *conversationsOf(userId: number): IterableIterator<readonly number[]> {
    for (const [participants] of this.#directs.of(userId)) yield participants;
  }

  /** Ids of all who have been in a direct conversation with the user, and their own; with repetitions. */
  *metIds(userId: number): IterableIterator<number> {
    for (const participants of this.conversationsOf(userId)) yield* participants;
  }

  /** Position of the first direct message among exactly these participants, ascending. */
  conversationSince(participants: readonly number[]): number | undefined {
    return this.#directs.since(participants);
  }

  /** Number of the direct conversation among exactly these participants, ascending, counted from 1; without notes to oneself. */
  conversationNumber(participants: readonly number[]): number | undefined {
    return this.#directs.numberOf(participants);
  }

  systemBot(kind: NonNullable<User['systemBot']>): User {
    return this.#users.systemBot(kind);
  }

  channel(channelId: number): Channel | undefined {
    return this.#channels.get(channelId);
  }

  /** By name, regardless of case. */
  channelByName(name: string): Channel | undefined {
    return this.#channels.byName(name);
  }

  /** All channels, by id. */
  channels(): IterableIterator<Channel> {
    return this.#channels.all();
  }

  group(groupId: number): Group | undefined {
    return this.#groups.get(groupId);
  }

  /** By name, regardless of case. */
  groupByName(name: string): Group | undefined {
    return this.#groups.byName(name);
  }

  /** All groups, including deactivated ones, by id. */
  groups(): IterableIterator<Group> {
    return this.#groups.all();
  }

  /** The next free ids. */
  get nextUserId(): number {
    return this.#users.nextId;
  }

  get nextChannelId(): number {
    return this.#channels.nextId;
  }

  get nextGroupId(): number {
    return this.#groups.nextId;
  }

  /** The user's subscription to the channel, active or not; undefined if they were never subscribed. */
  subscription(userId: number, channelId: number): Subscription | undefined {
    return this.#subscriptions.get(userId, channelId);
  }

  isSubscribed(userId: number, channelId: number): boolean {
    return this.#subscriptions.isActive(userId, channelId);
  }

  /** The user's subscriptions, including former ones. */
  subscriptionsOf(userId: number): Iterable<Subscription> {
    return this.#subscriptions.ofUser(userId);
  }

  /** Ids of the active subscribers, ascending. The same list until they change, so that what is derived from it can be cached by it. */
  subscriberIds(channelId: number): readonly number[] {
    return this.#subscriptions.subscriberIds(channelId);
  }

  /** Ids of the active subscribers, and of those who will be again when they are reactivated; ascending. */
  heldSubscriberIds(channelId: number): readonly number[] {
    return this.#subscriptions.heldSubscriberIds(channelId);
  }

  /** Ids of the subscribers right after the event at this position, ascending. */
  subscriberIdsAt(channelId: number, position: number): number[] {
    return this.#subscriptions.subscriberIdsAt(channelId, position);
  }

  subscriberCount(channelId: number): number {
    return this.#subscriptions.subscriberCount(channelId);
  }

  /** Whether the user was subscribed to the channel when the event at this position was recorded. */
  wasSubscribedAt(userId: number, channelId: number, position: number): boolean {
    return this.#subscriptions.wasActiveAt(userId, channelId, position);
  }

  /** Whether the user was subscribed to the channel when the message of this ID was sent. */
  wasSubscribedForMessage(userId: number, channelId: number, messageId: number): boolean {
    return this.#subscriptions.wasActiveForMessage(userId, channelId, messageId);
  }

  /** Whether the user holds the permission, through any depth of groups (rules.md §3). Deactivated users hold none. */
  holds(user: User, setting: GroupSetting): boolean {
    return this.#groups.holds(user, setting);
  }

  /** `holds` as it was while one group had this record. */
  holdsBefore(earlier: Group): (user: User, setting: GroupSetting) => boolean {
    return this.#groups.holdsBefore(earlier);
  }

  /** Whether the user belongs to the group, directly or through its subgroups. */
  isMember(user: User, groupId: number): boolean {
    return this.#groups.isMember(user, groupId);
  }

  /** Ids of the members of any of these groups, directly or through subgroups, ascending, without deactivated users. */
  memberIds(groupIds: Iterable<number>): number[] {
    return this.#groups.memberIds(groupIds);
  }

  /** Ids of the group and of all groups below it. */
  groupIdsBelow(groupId: number): ReadonlyIdSet {
    return this.#groups.idsBelow(groupId);
  }

  /** Ids of the group and of all groups above it. */
  groupIdsAbove(groupId: number): ReadonlyIdSet {
    return this.#groups.idsAbove(groupId);
  }

  /** Number of levels of the deepest of these groups, each with its subgroups, up to a maximum. A system group is one level. */
  groupLevelsBelow(groupIds: Iterable<number>, max: number): number {
    return this.#groups.levelsBelow(groupIds, max);
  }

  /** Number of levels from the group up to the outermost group above it, up to a maximum. */
  groupLevelsAbove(groupId: number, max: number): number {
    return this.#groups.levelsAbove(groupId, max);
  }

  /** Number of groups that users created and that are not deactivated. */
  get activeGroupCount(): number {
    return this.#groups.activeCount;
  }

  /**
   * Ids of the direct members, ascending, without deactivated users; of a system group, the users with exactly its
   * role.
   * @param inactiveIds the deactivated users at an earlier moment
   */
  directMemberIds(group: Group, inactiveIds?: ReadonlyIdSet): number[] {
    return this.#groups.directMemberIds(group, inactiveIds);
  }

  /** Whether `directMemberIds` lists the user. */
  isDirectMember(user: User, group: Group): boolean {
    return this.#groups.isDirectMember(user, group);
  }

  snapshot(): DirectorySnapshot {
    return {
      version: 1,
      position: this.position,
      revision: this.revision,
      lastMessageId: this.lastMessageId,
      ...this.#realm.snapshot(),
      linkifiers: this.#linkifiers.snapshot(),
      domains: this.domains,
      playgrounds: this.playgrounds,
      profileFields: this.profileFields,
      folders: this.folders,
      defaultGroups: this.defaultGroups,
      exports: this.exports,
      customEmoji: this.#customEmoji.snapshot(),
      branding: this.branding,
      invitations: this.#invitations.snapshot(),
      users: this.#users.snapshot(),
      bots: this.#bots.snapshot(),
      directs: this.#directs.snapshot(),
      channels: this.#channels.snapshot(),
      groups: this.#groups.snapshot(),
      subscriptions: this.#subscriptions.snapshot(),
      preferences: this.preferences.snapshot(),
    };
  }

  /** Fills an empty directory from a snapshot. */
  restore(snapshot: DirectorySnapshot): void {
    this.position = snapshot.position;
    this.revision = snapshot.revision;
    this.lastMessageId = snapshot.lastMessageId;
    this.#realm.restore(snapshot);
    this.#linkifiers.restore(snapshot.linkifiers);
    this.#domains.restore(snapshot.domains);
    this.#playgrounds.restore(snapshot.playgrounds);
    this.#profileFields.restore(snapshot.profileFields);
    this.#folders.restore(snapshot.folders);
    this.#defaultGroups.restore(snapshot.defaultGroups);
    this.#exports.restore(snapshot.exports);
    this.#customEmoji.restore(snapshot.customEmoji);
    this.#branding.restore(snapshot.branding);
    this.#invitations.restore(snapshot.invitations);
    this.#users.restore(snapshot.users);
    this.#bots.restore(snapshot.bots);
    this.#directs.restore(snapshot.directs ?? []);
    this.#channels.restore(snapshot.channels);
    this.#groups.restore(snapshot.groups);
    this.#subscriptions.restore(snapshot.subscriptions);
    this.preferences.restore(snapshot.preferences);
  }
}

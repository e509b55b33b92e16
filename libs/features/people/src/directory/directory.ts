import type { RecordedEvent } from '#event-store';
import { type DirectoryPart, DirectoryParts } from '#directory';
import type { ReadonlyIdSet } from '#kernel';
import { type Channel, channelsPart, type Subscription, subscriptionsPart } from '#channels/model';
import { type GroupSetting, type Group, groupsPart } from '#groups/model';
import {
  type ProfileFields,
  profileFieldsPart,
  type Avatar,
  type User,
  directsPart,
  foreseenEndsPart,
  usersPart,
} from '#users/model';
import {
  type RealmSettings,
  type Organization,
  type RealmPermissionName,
  type RealmState,
  organizationPart,
  realmPart,
} from '#realm/model';
import { waitingPart } from './waiting.part.js';

/** The parts that `Directory` has getters for, in the order in which they handle an event. */
const organizationParts: readonly DirectoryPart[] = [
  organizationPart,
  realmPart,
  profileFieldsPart,
  usersPart,
  waitingPart,
  foreseenEndsPart,
  directsPart,
  channelsPart,
  groupsPart,
  subscriptionsPart,
];

/**
 * The organization in memory: users, channels, subscriptions and groups, folded from the log. It is small and hot;
 * permission checks read nothing else. Features add parts of their own (ADR 37), and each part is kept by the feature
 * that owns its events.
 */
export class Directory extends DirectoryParts {
  readonly #users = this.of(usersPart);
  readonly #foreseenEnds = this.of(foreseenEndsPart);
  readonly #directs = this.of(directsPart);
  readonly #channels = this.of(channelsPart);
  readonly #subscriptions = this.of(subscriptionsPart);
  readonly #groups = this.of(groupsPart);

  /** @param parts of features */
  constructor(parts: readonly DirectoryPart[] = []) {
    super([...organizationParts, ...parts]);
  }

  /**
   * The organization.
   * @throws Error before it is created
   */
  get organization(): Organization {
    const organization = this.of(organizationPart);
    if (organization === null) throw new Error('The organization does not exist yet.');
    return organization;
  }

  get exists(): boolean {
    return this.of(organizationPart) !== null;
  }

  /** Whether the organization is deactivated: nobody has access. */
  get isDeactivated(): boolean {
    return this.of(organizationPart)?.deactivated !== undefined;
  }

  /** Event queues that were registered before this position have ended with a deactivation of the organization. */
  get queuesEndedAt(): number {
    return this.of(organizationPart)?.queuesEndedAt ?? 0;
  }

  /** Settings of the organization. */
  get settings(): RealmSettings {
    return this.of(realmPart).settings;
  }

  /** Default settings of new users that differ from the server's. */
  get userDefaults(): RealmState['userDefaults'] {
    return this.of(realmPart).userDefaults;
  }

  /** Holders of one of the organization's permissions. */
  permission(name: RealmPermissionName): GroupSetting {
    return this.of(realmPart).permissions[name];
  }

  /** The uploaded picture of a user of this name, as long as it is in use. */
  avatarNamed(name: string): Avatar | undefined {
    return this.#users.avatarNamed(name);
  }

  /** Fields of people's profiles, in their order. */
  get profileFields(): ProfileFields {
    return this.of(profileFieldsPart);
  }

  /**
   * Takes note of an event of the log that cannot be applied yet, since read models are behind. A deactivation ends the access of
   * an account at once, however long they take. Must be called in log order.
   */
  foresee(event: RecordedEvent): void {
    this.#foreseenEnds.foresee(event);
  }

  /** Whether the account can be used: it is active, and no later event of the log is known to deactivate it. */
  isUsable({ userId, isActive }: User): boolean {
    return isActive && !this.#foreseenEnds.has(userId);
  }

  /**
   * Calls the listener for each account whose deactivation is foreseen.
   * @returns a function that unsubscribes
   */
  listenForEnds(listener: (userId: number) => void): () => void {
    return this.#foreseenEnds.listen(listener);
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
}

import { Slices } from '#kernel';
import type { Channel } from '#channels/model';
import type { Directory } from '#people';
import type { Group, GroupSetting } from '#groups/model';
import type { User, WaitingChanged } from '#users/model';
import type { Moment } from '../moment.js';
import type { Moments } from '../past/moments.js';
import type { PastDirectory } from '../past/past-directory.js';
import { subjects } from '../places/place-row.js';
import { type LogEvent, type Row, rowOf } from '../rows.js';
import { wireUser } from '../wire.js';
import { type Changes, type Changed, changedIn, spanAt } from './changes.js';
import { recordedRow } from './recorded.js';

/** Channels, users and groups as they were at a moment, with who belonged to them; and what was changed since. */
export class PartsAsOf {
  constructor(
    private readonly directory: Directory,
    private readonly past: PastDirectory,
    private readonly moments: Moments,
    private readonly changes: Changes,
  ) {}

  async *channel(channelId: number, moment: Moment): AsyncGenerator<Row, void, void> {
    const subject = subjects.channel(channelId);
    const state = (await this.past.at(moment)).channel(channelId);
    const last = await this.changes.last(subject, moment);
    if (state !== undefined && last !== undefined) {
      yield rowOf(this.directory, last, 'channel', wireChannel(state));
      yield* this.#subscribers(channelId, moment);
    }
    yield* this.#channelChanges(channelId, moment);
  }

  /** Events of the channel, and between them those of accounts by which subscribers were lost, or came back. */
  async *#channelChanges(channelId: number, moment: Moment): AsyncGenerator<Row, void, void> {
    const which = moment.kind === 'now' ? 'up to' : 'after';
    const points = await this.#subscriberChanges(channelId, moment);
    const eventOf = this.changes.subscriptionEvents();
    const row = async ({ position, userId, what }: SubscriberChange): Promise<readonly Row[]> => {
      const user = wireUser(this.directory, userId);
      const event = await eventOf(userId, position);
      return event === undefined ? [] : [rowOf(this.directory, event, what, { channel_id: channelId, user })];
    };
    let next = 0;
    const upTo = (position: number): readonly SubscriberChange[] => {
      const from = next;
      while ((points[next]?.position ?? Infinity) <= position) next++;
      // Those of the event itself are in what it recorded.
      return points.slice(from, next).filter((point) => point.position < position);
    };
    for await (const event of this.changes.events(subjects.channel(channelId), moment, which)) {
      for (const point of upTo(event.position)) yield* await row(point);
      yield recordedRow(this.directory, event);
    }
    for (const point of upTo(Number.MAX_SAFE_INTEGER)) yield* await row(point);
  }

  /** Where somebody's subscription began or ended since, by whatever event, in the order of the log. */
  async #subscriberChanges(channelId: number, moment: Moment): Promise<readonly SubscriberChange[]> {
    const since = await this.#beginningOf(moment);
    const points: SubscriberChange[] = [];
    const slices = new Slices();
    for (const { userId } of this.directory.users()) {
      points.push(...changedIn(this.directory.subscription(userId, channelId)?.spans ?? [], since, { userId }));
      if (slices.isOver) await slices.next();
    }
    return points.sort((a, b) => a.position - b.position || a.userId - b.userId);
  }

  async #beginningOf(moment: Moment): Promise<number> {
    return moment.kind === 'now' ? 0 : this.moments.organizationPosition(moment);
  }

  async *#subscribers(channelId: number, moment: Moment): AsyncGenerator<Row, void, void> {
    const position = await this.moments.organizationPosition(moment);
    const eventOf = this.changes.subscriptionEvents();
    const slices = new Slices();
    for (const userId of this.directory.subscriberIdsAt(channelId, position)) {
      const span = spanAt(this.directory.subscription(userId, channelId)?.spans ?? [], position);
      const event = span === undefined ? undefined : await eventOf(userId, span.fromPosition);
      if (event !== undefined)
        yield rowOf(this.directory, event, 'subscriber', {
          channel_id: channelId,
          user: wireUser(this.directory, userId),
        });
      if (slices.isOver) await slices.next();
    }
  }

  async *user(userId: number, moment: Moment): AsyncGenerator<Row, void, void> {
    const subject = subjects.user(userId);
    const then = await this.past.at(moment);
    const state = then.user(userId);
    const last = await this.changes.last(subject, moment);
    if (state !== undefined && last !== undefined) {
      yield rowOf(this.directory, last, 'user', wireAccount(state));
      yield* this.#subscriptions(userId, moment);
      yield* this.#groups(then, state, moment);
    }
    for await (const row of this.changes.since(subject, moment)) yield aboutUser(row, userId);
    yield* this.#subscriptionChanges(userId, moment);
    yield* this.#groupChanges(userId, moment);
  }

  async *#subscriptions(userId: number, moment: Moment): AsyncGenerator<Row, void, void> {
    const position = await this.moments.organizationPosition(moment);
    const eventOf = this.changes.subscriptionEvents();
    for (const { channelId, spans } of this.directory.subscriptionsOf(userId)) {
      const span = spanAt(spans, position);
      const event = span === undefined ? undefined : await eventOf(userId, span.fromPosition);
      if (event !== undefined) yield rowOf(this.directory, event, 'subscription', this.#channelNamed(channelId));
    }
  }

  /** Groups that list the user, and the event that put the user there; system groups follow from the role. */
  async *#groups(then: Directory, user: User, moment: Moment): AsyncGenerator<Row, void, void> {
    for (const group of then.groups()) {
      if (group.isSystemGroup || !group.directMembers.has(user.userId)) continue;
      const event = (await this.#joinings(group, moment)).get(user.userId);
      if (event !== undefined)
        yield rowOf(this.directory, event, 'membership', { group_id: group.groupId, group: group.name });
    }
  }

  /** By user: the event that put them into the group, or gave them the role from which it follows. */
  async #joinings({ groupId, isSystemGroup }: Group, moment: Moment): Promise<ReadonlyMap<number, LogEvent>> {
    const joined = new Map<number, LogEvent>();
    const subject = isSystemGroup ? subjects.permissions : subjects.group(groupId);
    for await (const event of this.changes.events(subject, moment, 'up to')) {
      const { userId, userIds = [] } = event.data as { readonly userId?: number; readonly userIds?: readonly number[] };
      if (event.type === 'group.members-removed.v1') continue;
      for (const id of userId === undefined ? userIds : [userId]) joined.set(id, event);
    }
    return joined;
  }

  /** Subscriptions that began or ended since, by their spans. */
  async *#subscriptionChanges(userId: number, moment: Moment): AsyncGenerator<Row, void, void> {
    const since = await this.#beginningOf(moment);
    const eventOf = this.changes.subscriptionEvents();
    const points = [...this.directory.subscriptionsOf(userId)].flatMap(({ channelId, spans }) =>
      changedIn(spans, since, { channelId }),
    );
    points.sort((a, b) => a.position - b.position || a.channelId - b.channelId);
    for (const { position, channelId, what } of points) {
      const event = await eventOf(userId, position);
      if (event !== undefined) yield rowOf(this.directory, event, what, this.#channelNamed(channelId));
    }
  }

  async *#groupChanges(userId: number, moment: Moment): AsyncGenerator<Row, void, void> {
    const which = moment.kind === 'now' ? 'up to' : 'after';
    for await (const event of this.changes.events(subjects.groups, moment, which)) {
      const { userIds, groupId } = event.data as { readonly userIds?: readonly number[]; readonly groupId: number };
      if (userIds?.includes(userId) !== true) continue;
      const type = event.type === 'group.members-removed.v1' ? 'left_group' : 'joined_group';
      yield rowOf(this.directory, event, type, { group_id: groupId, group: this.directory.group(groupId)?.name });
    }
  }

  async *group(groupId: number, moment: Moment): AsyncGenerator<Row, void, void> {
    const subject = subjects.group(groupId);
    const then = await this.past.at(moment);
    const state = then.group(groupId);
    // System groups are as old as the organization.
    const last =
      (await this.changes.last(subject, moment)) ?? (await this.changes.last(subjects.setting('name'), moment));
    if (state !== undefined && last !== undefined) {
      yield rowOf(this.directory, last, 'group', wireGroup(state));
      const joinings = await this.#joinings(state, moment);
      const slices = new Slices();
      for (const userId of then.directMemberIds(state)) {
        const more = { group_id: groupId, user: wireUser(this.directory, userId) };
        yield rowOf(this.directory, joinings.get(userId) ?? last, 'member', more);
        if (slices.isOver) await slices.next();
      }
    }
    for await (const event of this.changes.events(subject, moment, moment.kind === 'now' ? 'up to' : 'after'))
      yield recordedRow(this.directory, event);
  }

  #channelNamed(channelId: number): object {
    return { channel_id: channelId, channel: this.directory.channel(channelId)?.name };
  }
}

type SubscriberChange = Changed & { readonly userId: number };

/** Holders of a permission, as answers tell them. */
export function wireHolders(setting: GroupSetting | undefined): object | number | undefined {
  if (setting === undefined || typeof setting === 'number') return setting;
  return { direct_members: setting.directMembers, direct_subgroups: setting.directSubgroups };
}

const wirePermissions = (permissions: Readonly<Record<string, GroupSetting>>): object =>
  Object.fromEntries(Object.entries(permissions).map(([name, setting]) => [name, wireHolders(setting)]));

function wireChannel(channel: Channel): object {
  return {
    channel_id: channel.channelId,
    name: channel.name,
    description: channel.description,
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    is_archived: channel.isArchived,
    message_retention_days: channel.messageRetentionDays,
    topics_policy: channel.topicsPolicy,
    folder_id: channel.folderId,
    creator_id: channel.creatorId,
    permissions: wirePermissions(channel.permissions),
  };
}

/** An event about the waiting of many is told of one of them. */
function aboutUser(row: Row, userId: number): Row {
  if (row.event !== 'user.waiting-changed.v1') return row;
  const { over, begun } = row['recorded'] as WaitingChanged['data'];
  const ofUser = (ids: readonly number[]): readonly number[] => ids.filter((id) => id === userId);
  return { ...row, recorded: { over: ofUser(over), begun: ofUser(begun) } };
}

function wireAccount(user: User): object {
  return {
    user_id: user.userId,
    full_name: user.fullName,
    email: user.email,
    role: user.role,
    is_active: user.isActive,
    bot_type: user.botType,
    bot_owner_id: user.botOwnerId,
    joined_at: user.joinedAt,
  };
}

function wireGroup(group: Group): object {
  return {
    group_id: group.groupId,
    name: group.name,
    description: group.description,
    is_system_group: group.isSystemGroup,
    is_deactivated: group.isDeactivated,
    direct_subgroups: group.directSubgroups,
    permissions: wirePermissions(group.permissions),
  };
}

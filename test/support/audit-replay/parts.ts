import {
  type ExpectedRow,
  holders,
  isUpTo,
  permissionsIn,
  type RawEvent,
  type RawLog,
  timeOf,
  type Until,
} from './raw-log.js';
import { NaiveState, stateAfter } from './state.js';

const OF_USERS =
  /^(?:user\.(?:created|changed|deactivated|reactivated|api-key-issued|email-change-requested|email-visibility-changed|avatar-changed)|bot\.(?:owner-changed|configured)|profile-data\.changed)\.v1$/;

const WAITING = 'user.waiting-changed.v1';

/** Permissions of system groups, which nobody may change. */
const NOBODY = Object.fromEntries(
  ['add_members', 'join', 'leave', 'manage', 'mention', 'remove_members'].map((name) => [`can_${name}_group`, 8]),
);

const channelsOf = ({ type, data }: RawEvent): readonly number[] => {
  if (!/^channels?\./.test(type)) return [];
  return data.channels?.map((one: any) => one.channelId) ?? data.channelIds ?? [data.channelId];
};

/** Channels, users, groups, settings and calls, by going through the whole log for each question. */
export class NaiveParts {
  /** @param initially values of settings and permissions of a new organization */
  constructor(
    private readonly log: RawLog,
    private readonly initially: Readonly<Record<string, unknown>>,
  ) {}

  channel(channelId: number, until?: Until): ExpectedRow[] {
    const { log } = this;
    const isAbout = (event: RawEvent): boolean => channelsOf(event).includes(channelId);
    const state = stateAfter(log.upTo(until));
    const channel = state.channels.get(channelId);
    const last = log.upTo(until).findLast(isAbout);
    const rows: ExpectedRow[] = [];
    if (channel !== undefined && last !== undefined)
      rows.push(
        log.row(last, 'channel', {
          channel_id: channelId,
          name: channel['name'],
          description: channel['description'],
          invite_only: channel['inviteOnly'],
          is_web_public: channel['isWebPublic'],
          history_public_to_subscribers: channel['historyPublicToSubscribers'],
          is_archived: channel['isArchived'],
          message_retention_days: channel['messageRetentionDays'],
          topics_policy: channel['topicsPolicy'],
          folder_id: channel['folderId'],
          creator_id: channel['creatorId'],
          permissions: permissionsIn(channel['permissions']),
        }),
      );
    for (const { userId } of [...state.users.values()].sort((a, b) => a.userId - b.userId)) {
      const event = state.subscribed.get(`${userId} ${channelId}`);
      if (event !== undefined)
        rows.push(log.row(event, 'subscriber', { channel_id: channelId, user: log.user(userId) }));
    }
    return [...rows, ...this.#channelChanges(channelId, until)];
  }

  /** Events of the channel, and those of accounts by which it lost subscribers, or had them again. */
  #channelChanges(channelId: number, until: Until | undefined): ExpectedRow[] {
    const { log } = this;
    const told = new Set(log.told(until));
    const state = new NaiveState([]);
    return log.events.flatMap((event) => {
      const { userId } = event.data;
      const was = state.isSubscribed(userId, channelId);
      state.apply(event);
      if (!told.has(event)) return [];
      if (channelsOf(event).includes(channelId)) return [log.recorded(event, 'change')];
      const what = was ? 'unsubscribed' : 'subscribed';
      const isChanged = was !== state.isSubscribed(userId, channelId);
      return isChanged ? [log.row(event, what, { channel_id: channelId, user: log.user(userId) })] : [];
    });
  }

  user(userId: number, until?: Until): ExpectedRow[] {
    const { log } = this;
    const waits = (data: any): any => {
      const [over, begun] = [data.over, data.begun].map((ids) => ids.filter((id: number) => id === userId));
      return { over, begun };
    };
    const isAbout = ({ type, data }: RawEvent): boolean =>
      type === WAITING ? [...data.over, ...data.begun].includes(userId) : data.userId === userId && OF_USERS.test(type);
    const state = stateAfter(log.upTo(until));
    const user = state.users.get(userId);
    const last = log.upTo(until).findLast(isAbout);
    const rows: ExpectedRow[] = [];
    if (user !== undefined && last !== undefined) {
      rows.push(
        log.row(last, 'user', {
          user_id: userId,
          full_name: user.fullName,
          email: user.email,
          role: user.role,
          is_active: user.isActive,
          bot_type: user.botType,
          bot_owner_id: user.botOwnerId,
          joined_at: user.at,
        }),
      );
      for (const [key, event] of state.subscribed) {
        const [of, channelId] = key.split(' ').map(Number);
        if (of === userId) rows.push(log.row(event, 'subscription', log.channel(channelId ?? 0)));
      }
      for (const { groupId, name, members } of state.groups.values())
        if (members.has(userId))
          rows.push(log.row(members.get(userId), 'membership', { group_id: groupId, group: name }));
    }
    for (const event of log.told(until)) {
      if (!isAbout(event)) continue;
      const row = log.recorded(event, 'change');
      rows.push(event.type === WAITING ? { ...row, recorded: waits(event.data) } : row);
    }
    return [...rows, ...this.#cameAndWent(userId, until)];
  }

  /** Subscriptions that began or ended, and groups that were joined or left. */
  #cameAndWent(userId: number, until: Until | undefined): ExpectedRow[] {
    const { log } = this;
    const rows: ExpectedRow[] = [];
    const names = stateAfter(log.events).groups;
    const told = new Set(log.told(until));
    let before = new Set<string>();
    const state = new NaiveState([]);
    for (const event of log.events) {
      const { type, data } = event;
      state.apply(event);
      if (/^channels?\.(?:un)?subscribed|^user\.(?:de|re)activated/.test(type)) {
        const now = new Set([...state.subscribed.keys()].filter((key) => key.startsWith(`${userId} `)));
        const tell = (keys: readonly string[], what: string): void => {
          for (const key of keys) rows.push(log.row(event, what, log.channel(Number(key.split(' ')[1]))));
        };
        if (told.has(event)) {
          tell(without(now, before), 'subscribed');
          tell(without(before, now), 'unsubscribed');
        }
        before = now;
      }
      if (type.startsWith('group.') && data.userIds?.includes(userId) === true && told.has(event)) {
        const { groupId } = data;
        const what = type === 'group.members-removed.v1' ? 'left_group' : 'joined_group';
        rows.push(log.row(event, what, { group_id: groupId, group: names.get(groupId).name }));
      }
    }
    return rows;
  }

  group(groupId: number, until?: Until): ExpectedRow[] {
    const { log } = this;
    const isAbout = ({ type, data }: RawEvent): boolean => type.startsWith('group.') && data.groupId === groupId;
    const state = stateAfter(log.upTo(until));
    const group = state.groups.get(groupId);
    const last =
      log.upTo(until).findLast(isAbout) ??
      log
        .upTo(until)
        .findLast(({ type, data }) => type === 'organization.created.v1' || data.settings?.name !== undefined);
    const rows: ExpectedRow[] = [];
    if (group !== undefined && last !== undefined) {
      rows.push(
        log.row(last, 'group', {
          group_id: groupId,
          name: group.name,
          description: group.description,
          is_system_group: group.isSystem === true,
          is_deactivated: group.isDeactivated,
          direct_subgroups: group.directSubgroups,
          permissions: group.isSystem === true ? NOBODY : permissionsIn(group.permissions),
        }),
      );
      for (const [userId, event] of state.directMembers(groupId))
        rows.push(log.row(event, 'member', { group_id: groupId, user: log.user(userId) }));
    }
    for (const event of log.told(until)) if (isAbout(event)) rows.push(log.recorded(event, 'change'));
    return rows;
  }

  setting(name: string, until?: Until): ExpectedRow[] {
    let from = this.initially[name];
    return this.log.upTo(until).flatMap((event) => {
      const { settings, permissions } = event.data;
      if (event.type !== 'organization.settings-changed.v1' || !(name in { ...settings, ...permissions })) return [];
      const to = holders(permissions?.[name]) ?? settings[name];
      const row = this.log.row(event, 'setting', { setting: name, from, to });
      from = to;
      return [row];
    });
  }

  permissions(until?: Until): ExpectedRow[] {
    const { log } = this;
    const known = new Map<string, unknown>();
    return log.upTo(until).flatMap((event) => {
      const { type, data } = event;
      const row = (of: object, permission: string, from: unknown, to: unknown): ExpectedRow =>
        log.row(event, 'permission', { ...of, permission, from: holders(from), to: holders(to) });
      const each = (key: string, of: object): ExpectedRow[] =>
        Object.entries<any>(data.permissions ?? {}).map(([name, to]) => {
          const from = known.has(key + name) ? known.get(key + name) : this.initially[name];
          known.set(key + name, to);
          return row(of, name, from, to);
        });
      switch (type) {
        case 'user.created.v1':
        case 'user.changed.v1': {
          const of = { of: 'user', ...log.user(data.userId) };
          if (data.role === undefined) return [];
          return [
            type === 'user.created.v1'
              ? row(of, 'role', undefined, data.role)
              : row(of, 'role', data.role.from, data.role.to),
          ];
        }
        case 'organization.settings-changed.v1':
          return each('', { of: 'organization' });
        case 'group.created.v1':
          for (const [name, to] of Object.entries(data.permissions)) known.set(`${data.groupId} ${name}`, to);
          return [];
        case 'group.changed.v1': {
          const name = stateAfter(log.events).groups.get(data.groupId).name;
          return each(`${data.groupId} `, { of: 'group', group_id: data.groupId, group: name });
        }
        case 'channel.changed.v1':
          return Object.entries<any>(data.permissions ?? {}).map(([name, { from, to }]) =>
            row({ of: 'channel', ...log.channel(data.channelId) }, name, from, to),
          );
        default:
          return [];
      }
    });
  }

  audits(until?: Until): ExpectedRow[] {
    return this.log
      .upTo(until)
      .filter(({ type }) => type === 'audit.called.v1')
      .map((event) => {
        const { question, parameters, reason } = event.data;
        return this.log.row(event, 'audit', { question, parameters, reason });
      });
  }

  /** @param userId of an account; undefined for all, and for those who named none */
  signIns(userId: number | undefined, isFailedOnly: boolean, until?: Until): ExpectedRow[] {
    return this.log.events.flatMap((event) => {
      if (event.type !== 'uses.noted.v1') return [];
      const found = event.data.uses.flatMap((use: any): ExpectedRow[] => {
        const isFailure = use.kind === 'sign-in-failed';
        if (!isFailure && (use.kind !== 'signed-in' || isFailedOnly)) return [];
        const account = isFailure ? use.userId : Number(/\d+/.exec(use.o)?.[0]);
        if ((userId !== undefined && account !== userId) || !isUpTo(until, event.position, use.at)) return [];
        const user = account === undefined ? undefined : this.log.user(account);
        return [{ ...this.log.use(event, use), user_id: undefined, user }];
      });
      const more = Object.entries<number>(event.data.more ?? {})
        .filter(([kind]) => kind === 'sign-in-failed' || (kind === 'signed-in' && !isFailedOnly))
        .map(([kind, count]) => this.log.row(event, 'used', { use: kind, more: count }));
      const isTold = userId === undefined && isUpTo(until, event.position, timeOf(event));
      return isTold ? [...found, ...more] : found;
    });
  }
}

const without = (keys: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
  [...keys].filter((key) => !others.has(key));

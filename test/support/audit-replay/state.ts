import type { RawEvent } from './raw-log.js';

const states = new WeakMap<readonly RawEvent[], NaiveState>();

/** The organization after these events; kept for the next question about the same ones. */
export function stateAfter(events: readonly RawEvent[]): NaiveState {
  let state = states.get(events);
  if (state === undefined) states.set(events, (state = new NaiveState(events)));
  return state;
}

interface NaiveChannel {
  readonly [field: string]: any;
}

/** The organization after some events, found by going through all of them. */
export class NaiveState {
  readonly channels = new Map<number, NaiveChannel>();
  readonly users = new Map<number, any>();
  readonly groups = new Map<number, any>();
  /** By user and channel: the event since which they are subscribed. */
  readonly subscribed = new Map<string, RawEvent>();
  readonly #paused = new Set<string>();
  readonly #waiting = new Set<number>();
  spectators = false;

  constructor(events: readonly RawEvent[]) {
    for (const event of events) this.apply(event);
  }

  apply(event: RawEvent): void {
    const { type, data } = event;
    if (type === 'organization.created.v1')
      for (const group of data.groups)
        this.groups.set(group.groupId, { ...group, isSystem: true, members: new Map(), isDeactivated: false });
    if (type === 'organization.settings-changed.v1')
      this.spectators = data.settings?.enable_spectator_access ?? this.spectators;
    if (type === 'user.waiting-changed.v1') {
      for (const id of data.over) this.#waiting.delete(id);
      for (const id of data.begun) this.#waiting.add(id);
    }
    if (/^(?:user|bot)\./.test(type)) this.#user(event);
    if (type.startsWith('group.')) this.#group(event);
    if (/^channels?\./.test(type)) this.#channel(event);
  }

  isSubscribed(userId: number, channelId: number): boolean {
    return this.subscribed.has(`${userId} ${channelId}`);
  }

  /** Users of a group alone, ascending, each with the event that put them there, or gave them their role. */
  directMembers(groupId: number): [number, RawEvent][] {
    const group = this.groups.get(groupId);
    const active = [...this.users.values()].filter(
      ({ isActive, systemBot }) => isActive && !(group.isSystem === true && systemBot !== undefined),
    );
    return active
      .map(({ userId }) => userId)
      .filter((id) => (group.isSystem ? this.#isListedBy(id, group.name) : group.members.has(id)))
      .sort((a, b) => a - b)
      .map((id) => [id, group.isSystem ? this.users.get(id).roleEvent : group.members.get(id)]);
  }

  /** Who holds a permission: by name, or through groups of any depth. */
  holds(userId: number, setting: any): boolean {
    if (typeof setting === 'number') return this.#belongs(userId, setting);
    if (setting.directMembers.includes(userId)) return true;
    return setting.directSubgroups.some((groupId: number) => this.#belongs(userId, groupId));
  }

  #belongs(userId: number, groupId: number): boolean {
    const group = this.groups.get(groupId);
    const isListed = group.isSystem ? this.#isListedBy(userId, group.name) : group.members.has(userId);
    if (isListed || group.name === 'role:internet') return true;
    return group.directSubgroups.some((below: number) => this.#belongs(userId, below));
  }

  #isListedBy(userId: number, name: string): boolean {
    const { role } = this.users.get(userId);
    switch (name) {
      case 'role:owners':
        return role === 100;
      case 'role:administrators':
        return role === 200;
      case 'role:moderators':
        return role === 300;
      case 'role:members':
        return role === 400;
      case 'role:fullmembers':
        return role === 400 && !this.#waiting.has(userId);
      case 'role:everyone':
        return role === 600;
      default:
        return false;
    }
  }

  #user(event: RawEvent): void {
    const { type, data } = event;
    const user = this.users.get(data.userId);
    const subscriptions = (of: Iterable<string>): string[] =>
      [...of].filter((key) => key.startsWith(`${data.userId} `));
    switch (type) {
      case 'user.created.v1':
        this.users.set(data.userId, { ...data, isActive: true, roleEvent: event });
        return;
      case 'user.changed.v1':
        Object.assign(user, {
          fullName: data.fullName ?? user.fullName,
          email: data.email ?? user.email,
          role: data.role?.to ?? user.role,
          roleEvent: data.role === undefined ? user.roleEvent : event,
        });
        return;
      case 'user.deactivated.v1':
        user.isActive = false;
        for (const key of subscriptions(this.subscribed.keys())) {
          this.subscribed.delete(key);
          this.#paused.add(key);
        }
        return;
      case 'user.reactivated.v1':
        user.isActive = true;
        for (const key of subscriptions(this.#paused)) {
          this.subscribed.set(key, event);
          this.#paused.delete(key);
        }
        return;
      case 'bot.owner-changed.v1':
        user.botOwnerId = data.to;
    }
  }

  #group(event: RawEvent): void {
    const { type, data } = event;
    if (type === 'group.created.v1')
      this.groups.set(data.groupId, {
        ...data,
        directSubgroups: [...data.subgroupIds],
        members: new Map(),
        isDeactivated: false,
      });
    const group = this.groups.get(data.groupId);
    if (type === 'group.changed.v1') {
      group.name = data.name ?? group.name;
      group.description = data.description ?? group.description;
      group.permissions = { ...group.permissions, ...data.permissions };
    }
    if (type === 'group.deactivated.v1') group.isDeactivated = true;
    if (type === 'group.reactivated.v1') group.isDeactivated = false;
    for (const id of data.userIds ?? [])
      if (type === 'group.members-removed.v1') group.members.delete(id);
      else group.members.set(id, event);
    if (type === 'group.subgroups-added.v1')
      group.directSubgroups = [...group.directSubgroups, ...data.subgroupIds].sort((a: number, b: number) => a - b);
    if (type === 'group.subgroups-removed.v1')
      group.directSubgroups = group.directSubgroups.filter((id: number) => !data.subgroupIds.includes(id));
  }

  #channel(event: RawEvent): void {
    const { type, data } = event;
    if (type === 'channel.created.v1') this.channels.set(data.channelId, { ...data, isArchived: false });
    if (type === 'channel.changed.v1') {
      const { privacy, description, permissions = {}, ...fields } = data;
      const was = this.channels.get(data.channelId) ?? {};
      const now: Record<string, unknown> = { ...was, ...privacy?.to, permissions: { ...was['permissions'] } };
      for (const [name, change] of Object.entries<any>(fields)) if (change?.to !== undefined) now[name] = change.to;
      for (const [name, { to }] of Object.entries<any>(permissions)) (now['permissions'] as any)[name] = to;
      if (description !== undefined) now['description'] = description.to.text;
      this.channels.set(data.channelId, now);
    }
    const ids: number[] = data.channels?.map((one: any) => one.channelId) ?? data.channelIds ?? [data.channelId];
    const users: number[] = data.userIds ?? data.subscribers?.map((one: any) => one.userId) ?? [];
    for (const key of ids.flatMap((id) => users.map((user) => `${user} ${id}`)))
      if (/^channels?\.subscribed/.test(type)) {
        if (!this.subscribed.has(key)) this.subscribed.set(key, event);
        this.#paused.delete(key);
      } else this.subscribed.delete(key);
  }
}

/**
 * A second reader of the log, written apart from the product: it goes through all events for each question, and keeps no index. Its
 * answers are short forms of rows (`shortForm`).
 */

/** An event as the log has it. */
export interface RawEvent {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: any;
  readonly metadata: any;
  readonly recordedAtMs: number;
}

/** What counts for an answer: all events up to a position, or up to the end of a second. */
export type Until = { readonly position: number } | { readonly seconds: number };

type Holders = number | { readonly directMembers: readonly number[]; readonly directSubgroups: readonly number[] };
type Short = readonly (string | number | boolean | null)[];

interface Standing {
  readonly id: number;
  channelId: number;
  topic: string;
  content: string;
  version: number;
  isDeleted: boolean;
}

const within = (ids: readonly (readonly [number, number])[] | undefined, id: number): boolean =>
  (ids ?? []).some(([first, last]) => id >= first && id <= last);
export const timeOf = ({ data, recordedAtMs }: RawEvent): number =>
  data.at ?? Math.floor((data.atMs ?? recordedAtMs) / 1000);

/** Whether the log has nothing of this second, or from before, after something that is later: clocks differ, and are set back. */
export function isCutAt(log: readonly RawEvent[], seconds: number): boolean {
  const later = log.findIndex((event) => timeOf(event) > seconds);
  return later < 0 || log.slice(later).every((event) => timeOf(event) > seconds);
}

/** The user who acted: as the metadata begin, or the user whom the data name. */
function actorOf({ metadata, data }: RawEvent): number | undefined {
  const [, id] = /^b?(\d+)/.exec(metadata.o) ?? [];
  if (id !== undefined) return Number(id);
  if (metadata.o !== undefined && !/^[.v]/.test(metadata.o)) return undefined;
  return data.by ?? data.senderId ?? data.creatorId ?? data.userId;
}

function isUpTo(until: Until | undefined, position: number, at: number): boolean {
  if (until === undefined) return true;
  return 'position' in until ? position <= until.position : at <= until.seconds;
}

export class NaiveAudit {
  constructor(private readonly log: readonly RawEvent[]) {}

  #until(until: Until | undefined): readonly RawEvent[] {
    return this.log.filter((event) => isUpTo(until, event.position, timeOf(event)));
  }

  message(id: number, until?: Until): Short[] {
    const found: Short[] = [];
    let version = 1;
    const came = (position: number, users: Iterable<number>): void => {
      for (const user of new Set(users)) found.push([position, 'delivered', user]);
    };
    for (const { stream, revision, position, type, data } of this.#until(until)) {
      if (stream === '1.messages' && revision === id - 1) {
        found.push([position, 'sent', data.senderId, data.content]);
        came(
          position,
          data.to ?? [...this.subscribers(data.channelId, { position }), ...(data.mentions ?? []), data.senderId],
        );
      }
      if (type === 'message.edited.v1' && data.messageId === id)
        found.push([position, 'edited', data.by, ++version, data.content]);
      if (type === 'messages.moved.v1' && within(data.ids, id)) {
        found.push([position, 'moved', data.by, data.to.channelId, data.to.topic]);
        if (data.to.channelId !== data.from.channelId)
          came(position, this.subscribers(data.to.channelId, { position }));
        if (data.edit !== undefined && data.targetId === id)
          found.push([position, 'edited', data.by, ++version, data.edit.content]);
      }
      if (type === 'message.deleted.v1' && data.messageId === id) found.push([position, 'deleted', data.by, 'itself']);
      if (type === 'messages.deleted.v1' && within(data.ids, id)) found.push([position, 'deleted', data.by, 'topic']);
      if (type === 'messages.expired.v1' && within(data.ids, id)) found.push([position, 'deleted', null, 'retention']);
      if (type === 'reaction.added.v1' && data.messageId === id)
        found.push([position, 'reacted', data.userId, data.emojiName]);
      if (type === 'reaction.removed.v1' && data.messageId === id)
        found.push([position, 'unreacted', data.userId, data.emojiName]);
      if (type === 'flags.changed.v1' && within(data.ids, id))
        found.push([position, 'flag', data.userId, data.op, data.flag]);
    }
    return found;
  }

  /** All messages as they were. */
  #standing(until?: Until): Map<number, Standing> {
    const messages = new Map<number, Standing>();
    const each = (ids: readonly (readonly [number, number])[], act: (message: Standing) => void): void => {
      for (const message of messages.values()) if (within(ids, message.id)) act(message);
    };
    const edit = (id: number, content: string): void => {
      const message = messages.get(id);
      if (message !== undefined) Object.assign(message, { content, version: message.version + 1 });
    };
    for (const { stream, revision, type, data } of this.#until(until)) {
      if (stream === '1.messages')
        messages.set(revision + 1, {
          id: revision + 1,
          channelId: data.channelId ?? 0,
          topic: data.topic ?? '',
          content: data.content,
          version: 1,
          isDeleted: false,
        });
      if (type === 'message.edited.v1') edit(data.messageId, data.content);
      if (type === 'messages.moved.v1') {
        each(data.ids, (message) => Object.assign(message, data.to));
        if (data.edit !== undefined) edit(data.targetId, data.edit.content);
      }
      if (type === 'message.deleted.v1') each([[data.messageId, data.messageId]], (one) => (one.isDeleted = true));
      if (/^messages\.(?:deleted|expired)/.test(type)) each(data.ids, (one) => (one.isDeleted = true));
    }
    return messages;
  }

  /** The messages of a topic as they were, and whether they have left it since, for a while or for good. */
  topic(channelId: number, topic: string, until?: Until): Short[] {
    const counted = new Set(this.#until(until));
    const later = this.log.filter((event) => !counted.has(event));
    const hasLeft = (id: number): boolean =>
      later.some(
        ({ type, data }) =>
          (/^messages\.(?:moved|deleted|expired)/.test(type) && within(data.ids, id)) ||
          (type === 'message.deleted.v1' && data.messageId === id),
      );
    const isThere = (message: Standing | undefined): boolean =>
      message !== undefined &&
      !message.isDeleted &&
      message.channelId === channelId &&
      message.topic.toLowerCase() === topic.toLowerCase();
    return [...this.#standing(until).values()]
      .filter(isThere)
      .map((one) => [one.id, one.version, one.content, one.topic, hasLeft(one.id)]);
  }

  /** IDs, ascending. */
  subscribers(channelId: number, until?: Until): number[] {
    const active = new Set<number>();
    const paused = new Set<number>();
    for (const { type, data } of this.#until(until)) {
      const channels: number[] = data.channels?.map((one: any) => one.channelId) ?? data.channelIds ?? [data.channelId];
      const users: number[] = data.userIds ?? data.subscribers?.map((one: any) => one.userId) ?? [];
      if (/^channels?\.subscribed/.test(type) && channels.includes(channelId))
        for (const user of users) {
          active.add(user);
          paused.delete(user);
        }
      if (/^channels?\.unsubscribed/.test(type) && channels.includes(channelId))
        for (const user of users) active.delete(user);
      if (type === 'user.deactivated.v1' && active.delete(data.userId)) paused.add(data.userId);
      if (type === 'user.reactivated.v1' && paused.delete(data.userId)) active.add(data.userId);
    }
    return [...active].sort((a, b) => a - b);
  }

  /** Direct members of a group that a user made, without deactivated ones. */
  members(groupId: number, until?: Until): number[] {
    const members = new Set<number>();
    const inactive = new Set<number>();
    for (const { type, data } of this.#until(until)) {
      if (type === 'user.deactivated.v1') inactive.add(data.userId);
      if (type === 'user.reactivated.v1') inactive.delete(data.userId);
      if (data.groupId !== groupId) continue;
      if (type === 'group.created.v1' || type === 'group.members-added.v1')
        for (const user of data.userIds) members.add(user);
      if (type === 'group.members-removed.v1') for (const user of data.userIds) members.delete(user);
    }
    return [...members].filter((user) => !inactive.has(user)).sort((a, b) => a - b);
  }

  user(userId: number, until?: Until): Short | undefined {
    let found: { name: string; role: number; isActive: boolean } | undefined;
    for (const { type, data } of this.#until(until)) {
      if (data.userId !== userId) continue;
      if (type === 'user.created.v1') found = { name: data.fullName, role: data.role, isActive: true };
      if (found === undefined) continue;
      if (type === 'user.changed.v1')
        found = { ...found, name: data.fullName ?? found.name, role: data.role?.to ?? found.role };
      if (type === 'user.deactivated.v1') found.isActive = false;
      if (type === 'user.reactivated.v1') found.isActive = true;
    }
    return found === undefined ? undefined : [found.name, found.role, found.isActive];
  }

  /** Wordings with all of the words: message, version, and what became of it. */
  search(words: readonly string[], until?: Until): Short[] {
    const found: Short[] = [];
    for (const { id, isDeleted, version: last } of this.#standing(until).values()) {
      let version = 0;
      for (const [, type, , ...rest] of this.message(id, until)) {
        if (type !== 'sent' && type !== 'edited') continue;
        version++;
        const has = String(rest.at(-1))
          .toLowerCase()
          .split(/[^a-z0-9]+/);
        if (!words.every((word) => has.includes(word))) continue;
        found.push([id, version, isDeleted ? 'deleted' : version === last ? 'current' : 'replaced']);
      }
    }
    return found;
  }

  /** Whether a user could read a message of a channel, by the rules as they are written for people. */
  couldRead(id: number, userId: number, until?: Until): boolean {
    const where = this.#standing(until).get(id);
    const user = this.user(userId, until);
    if (where === undefined || where.isDeleted || user?.[2] !== true) return false;
    const [sent] = this.log.filter(({ stream, revision }) => stream === '1.messages' && revision === id - 1);
    if (sent?.data.to !== undefined) return sent.data.to.includes(userId);
    const { channelId } = where;
    const channel = this.#channel(channelId, until);
    const isInside = this.subscribers(channelId, until).includes(userId);
    const isGuest = Number(user[1]) >= 600;
    const mayJoin = ['can_add_subscribers_group', 'can_subscribe_group'].some((name) =>
      this.#holds(userId, Number(user[1]), channel.permissions[name], until),
    );
    if (!isInside && (isGuest || (channel.inviteOnly && !mayJoin))) return false;
    if (!channel.inviteOnly || channel.historyPublicToSubscribers) return true;
    const came = this.#until(until).findLast(
      ({ type, data }) =>
        type === 'messages.moved.v1' && within(data.ids, id) && data.to.channelId !== data.from.channelId,
    );
    const position = (came ?? sent)?.position ?? 0;
    return this.subscribers(channelId, { position }).includes(userId);
  }

  #channel(channelId: number, until?: Until): any {
    let found: any;
    for (const { type, data } of this.#until(until)) {
      if (data.channelId !== channelId) continue;
      if (type === 'channel.created.v1') found = { ...data, permissions: { ...data.permissions } };
      if (type === 'channel.changed.v1') {
        Object.assign(found, data.privacy?.to);
        for (const [name, { to }] of Object.entries<any>(data.permissions ?? {})) found.permissions[name] = to;
      }
    }
    return found;
  }

  /** Only groups of the story, which have no subgroups, and those of roles. */
  #holds(userId: number, role: number, setting: Holders, until?: Until): boolean {
    if (typeof setting !== 'number')
      return (
        setting.directMembers.includes(userId) ||
        setting.directSubgroups.some((group) => this.#holds(userId, role, group, until))
      );
    const ofRole = [100, 200, 300, 400, 400, 600][setting - 1];
    if (ofRole !== undefined) return role <= ofRole;
    return setting > 8 && this.members(setting, until).includes(userId);
  }

  /** Everything that a user did: position, and what; the sends of messages that are deleted now are marked. */
  by(userId: number, until?: Until): Short[] {
    const standing = this.#standing();
    return this.log.flatMap((event): Short[] => {
      const { position, type, stream, revision, data } = event;
      // Uses are noted together, a little later: each has its own time.
      if (type === 'uses.noted.v1')
        return data.uses
          .filter(({ o }: any) => /^b?\d+/.test(o) && Number.parseInt(o.replace('b', ''), 10) === userId)
          .filter(({ at }: any) => isUpTo(until, position, at))
          .map(({ kind }: any) => [position, kind]);
      if (!isUpTo(until, position, timeOf(event))) return [];
      if (type === 'message.sent.v1') {
        if (stream !== '1.messages' || data.senderId !== userId) return [];
        return [[position, data.content, standing.get(revision + 1)?.isDeleted === true]];
      }
      return type !== 'send.reserved.v1' && actorOf(event) === userId ? [[position, type]] : [];
    });
  }

  /** Values of a setting one after the other, with who gave them. */
  setting(name: string, until?: Until): Short[] {
    return this.#until(until)
      .filter(({ type, data }) => type === 'organization.settings-changed.v1' && data.settings?.[name] !== undefined)
      .map(({ position, data }) => [position, data.by, data.settings[name]]);
  }

  /** Changes of roles and of permissions: position, who, what. */
  permissions(until?: Until): Short[] {
    return this.#until(until).flatMap(({ position, type, data }): Short[] => {
      if (type === 'user.created.v1') return [[position, null, 'role', null, data.role]];
      if (type === 'user.changed.v1' && data.role !== undefined)
        return [[position, data.by, 'role', data.role.from, data.role.to]];
      if (!['organization.settings-changed.v1', 'channel.changed.v1', 'group.changed.v1'].includes(type)) return [];
      return Object.keys(data.permissions ?? {}).map((name) => [position, data.by, name]);
    });
  }
}

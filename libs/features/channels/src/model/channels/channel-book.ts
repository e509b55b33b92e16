import type { Handlers } from '#directory';
import { nameKey } from '#users/model';
import type { GroupSetting } from '#groups/model';
import { changedChannel } from './changed-channel.js';
import type { ChannelPermission } from './channel-permissions.js';
import type { ChannelEvent } from './channel.events.js';
import type { Channel } from './channel.js';

interface Place {
  /** Absent in direct messages. */
  readonly channelId?: number;
}

interface Moved {
  readonly from: Place;
  readonly to: Place;
  readonly firstId: number;
  readonly firstLeft?: number | null;
}

interface Deleted {
  readonly place: Place;
  readonly firstLeft?: number | null;
}

/** What the book reads of events of messages. */
type MessageEvent =
  | { readonly type: 'message.sent.v1'; readonly data: Place }
  | { readonly type: 'messages.moved.v1'; readonly data: Moved }
  | { readonly type: 'message.deleted.v1'; readonly data: Deleted }
  | { readonly type: 'messages.deleted.v1'; readonly data: Deleted }
  | { readonly type: 'messages.expired.v1'; readonly data: Deleted };

/** Channels of the organization; a part of the directory. Records are replaced, never mutated. */
export class ChannelBook {
  readonly #channels = new Map<number, Channel>();
  readonly #idsByName = new Map<string, number>();

  /** Each channel's oldest message follows the events of messages: sends, moves and deletions. */
  readonly on: Handlers<ChannelEvent | MessageEvent> = {
    'channel.created.v1': ({ data: { at, permissions, entails: _, ...data } }) => {
      this.#put({
        ...data,
        permissions: permissions as Record<ChannelPermission, GroupSetting>,
        createdAt: at,
        isArchived: false,
        firstMessageId: null,
      });
    },
    'channel.changed.v1': ({ data }) => {
      const before = this.#channels.get(data.channelId);
      if (before === undefined) throw new Error(`There is no channel ${data.channelId}.`);
      const after = changedChannel(before, data, 'to');
      if (after.name !== before.name) this.#releaseName(before);
      this.#put(after);
    },
    'message.sent.v1': ({ data: { channelId } }, { lastMessageId }) => {
      if (channelId !== undefined) this.#placed(channelId, lastMessageId);
    },
    'messages.moved.v1': ({ data: { from, to, firstId, firstLeft } }) => {
      if (to.channelId === undefined) return;
      this.#left(from.channelId, firstLeft);
      this.#placed(to.channelId, firstId);
    },
    'message.deleted.v1': ({ data: { place, firstLeft } }) => {
      this.#left(place.channelId, firstLeft);
    },
    'messages.deleted.v1': ({ data: { place, firstLeft } }) => {
      this.#left(place.channelId, firstLeft);
    },
    'messages.expired.v1': ({ data: { place, firstLeft } }) => {
      this.#left(place.channelId, firstLeft);
    },
  };

  get(channelId: number): Channel | undefined {
    return this.#channels.get(channelId);
  }

  byName(name: string): Channel | undefined {
    const channelId = this.#idsByName.get(nameKey(name));
    return channelId === undefined ? undefined : this.#channels.get(channelId);
  }

  /** By id. */
  all(): IterableIterator<Channel> {
    return this.#channels.values();
  }

  get nextId(): number {
    return this.#channels.size + 1;
  }

  snapshot(): readonly Channel[] {
    return [...this.#channels.values()];
  }

  /** Fills an empty book. */
  restore(channels: readonly Channel[] = []): void {
    for (const channel of channels) this.#put(channel);
  }

  #put(channel: Channel): void {
    this.#channels.set(channel.channelId, channel);
    // Logs from before names were compared by this key may hold two channels with the same key: the older one is found.
    const key = nameKey(channel.name);
    if (!this.#idsByName.has(key)) this.#idsByName.set(key, channel.channelId);
  }

  /** The next channel whose name has the same key, if the log has one from before names were compared by it, is found by it now. */
  #releaseName({ channelId, name }: Channel): void {
    const key = nameKey(name);
    if (this.#idsByName.get(key) !== channelId) return;
    this.#idsByName.delete(key);
    for (const other of this.#channels.values()) {
      if (other.channelId === channelId || nameKey(other.name) !== key) continue;
      this.#idsByName.set(key, other.channelId);
      return;
    }
  }

  /** Records that a message arrived in the channel. */
  #placed(channelId: number, messageId: number): void {
    const channel = this.#channels.get(channelId);
    if (channel === undefined || (channel.firstMessageId !== null && channel.firstMessageId <= messageId)) return;
    this.#channels.set(channelId, { ...channel, firstMessageId: messageId });
  }

  /** The oldest messages of the channel are gone: records the new oldest one, or none. */
  #left(channelId: number | undefined, firstLeft: number | null | undefined): void {
    const channel = channelId === undefined ? undefined : this.#channels.get(channelId);
    if (channel === undefined || firstLeft === undefined) return;
    this.#channels.set(channel.channelId, { ...channel, firstMessageId: firstLeft });
  }
}

import { Injectable } from '@nestjs/common';
import { Command } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { command } from '#feature';
import { EphemeralEvents } from '#feed';
import { badRequest, Clock, excerpt, type Origin, originFrom } from '#kernel';
import { channelConversation, namedTopic, TOPIC_LENGTH_MAX, topicKeyOf } from '#messages';
import { accessChannelContent } from '#channels/model';
import { Directory } from '#people';
import type { User } from '#users/model';
import { preferencesPart } from '#preferences/model';
import { unchangedEntry } from './flags.client-events.js';
import { decideFlags } from './flags.decider.js';
import { NEWEST_ANCHOR } from '../narrow/anchor.js';
import { NarrowedMessages } from '../narrow/narrowed-messages.js';
import { UnreadReader } from '../unread/unread.reader.js';
import type { SeenRow } from '../recent/seen-rows.js';

/** Marks unread messages as read: in a place, or when a subscription or mute ends it. */
@Injectable()
export class MarkRead {
  constructor(
    private readonly unread: UnreadReader,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
    private readonly announcer: EphemeralEvents,
    private readonly directory: Directory,
  ) {}

  /** Marks everything unread in the channel, whether or not the user may still read it. */
  channel(userId: number, channelId: number, origin: Origin): Promise<number> {
    const conversation = channelConversation(channelId);
    return this.#mark(userId, origin, ({ place }) => place.conversation === conversation);
  }

  /** Marks what was unread in a channel when it was archived. */
  archived(userId: number, channelId: number, through: number, origin: Origin): Promise<number> {
    const conversation = channelConversation(channelId);
    return this.#mark(userId, origin, ({ id, place }) => place.conversation === conversation && id <= through);
  }

  /** Marks what was unread in channels when the user left them: not what came after they returned. */
  leftChannels(userId: number, channelIds: readonly number[], origin: Origin): Promise<number> {
    const since = new Map(
      channelIds.map((channelId) => {
        const current = this.directory.subscription(userId, channelId)?.spans.at(-1);
        return [channelConversation(channelId), current?.untilId === null ? current : undefined];
      }),
    );
    return this.#mark(userId, origin, ({ id, place: { conversation }, traits }) => {
      const current = since.get(conversation);
      if (current === undefined) return since.has(conversation);
      return id < current.fromId && (traits?.arrivals?.at(-1)?.position ?? 0) < current.fromPosition;
    });
  }

  topic(userId: number, channelId: number, topicKey: string, origin: Origin): Promise<number> {
    const conversation = channelConversation(channelId);
    return this.#mark(
      userId,
      origin,
      ({ place }) => place.conversation === conversation && place.topicKey === topicKey,
    );
  }

  /** Marks messages of a muted sender as read, up to the end of the mute. */
  sentByMuted(userId: number, senderId: number, origin: Origin): Promise<number> {
    const through = this.directory.of(preferencesPart).mutedThrough(userId, senderId);
    return this.#mark(userId, origin, (message) => message.senderId === senderId && message.id <= through);
  }

  /**
   * Marks all messages up to now in one run of IDs, so old unread ones cost no more. The user's clients are told even
   * when nothing was unread (endpoints.md §4); the other methods report only changes.
   */
  async everything(userId: number, origin: Origin): Promise<void> {
    const { position } = this.directory;
    const { unread, oldMissing, upTo } = await this.unread.delivered(userId);
    const read = { op: 'add', flag: 'read' } as const;
    if (unread.length === 0 && !oldMissing)
      return this.announcer.announce(unchangedEntry(userId, { ...read, all: true }), position);
    const ids: [number, number][] = [[1, upTo]];
    const data = { userId, ...read, ids, at: this.clock.nowSeconds() };
    await this.runner.appendOnly(streams.flags(userId), [{ type: 'flags.changed.v1', data }], origin, {
      metadata: { all: true },
    });
  }

  /** @returns the number of changed messages. Resolves when it is durable and visible. */
  async #mark(userId: number, origin: Origin, choose: (message: SeenRow) => boolean): Promise<number> {
    const { unread } = await this.unread.delivered(userId);
    const messages = unread
      .filter(choose)
      .ids()
      .map((messageId) => ({ messageId, isSet: false }));
    const { events } = decideFlags({ userId, op: 'add', flag: 'read', messages, at: this.clock.nowSeconds() });
    for (const event of events) {
      // A separate append for each: together they might be too large.
      await this.runner.appendOnly(streams.flags(userId), [event], origin);
    }
    return messages.length;
  }
}

export class MarkAllReadCommand extends Command<void> {
  constructor(readonly actor: User) {
    super();
  }
}

export const markAllRead = command(MarkAllReadCommand, { marks: MarkRead }, async ({ actor }, { marks }) => {
  await marks.everything(actor.userId, originFrom(actor));
});

export class MarkChannelReadCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly channelId: number,
  ) {
    super();
  }
}

export const markChannelRead = command(
  MarkChannelReadCommand,
  { directory: Directory, marks: MarkRead },
  async ({ actor, channelId }, { directory, marks }) => {
    accessChannelContent(directory, actor, channelId);
    await marks.channel(actor.userId, channelId, originFrom(actor));
  },
);

/** Marks a topic, named as the client wrote it. */
export class MarkTopicReadCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly channelId: number,
    readonly topic: string,
  ) {
    super();
  }
}

export const markTopicRead = command(
  MarkTopicReadCommand,
  { directory: Directory, narrowed: NarrowedMessages, marks: MarkRead },
  async ({ actor, channelId, topic }, { directory, narrowed, marks }) => {
    accessChannelContent(directory, actor, channelId);
    const topicKey = topicKeyOf(namedTopic(topic));
    const marked = await marks.topic(actor.userId, channelId, topicKey, originFrom(actor));
    if (marked === 0 && !(await isThere(narrowed, actor, channelId, topic)))
      throw badRequest(`No such topic '${excerpt(topic, TOPIC_LENGTH_MAX)}'`);
  },
);

/** Whether any message of the topic is in the actor's own history, which need not be its newest (endpoints.md §4). */
async function isThere(narrowed: NarrowedMessages, actor: User, channelId: number, topic: string): Promise<boolean> {
  const narrow = await narrowed.narrow(actor, [
    { operator: 'channel', operand: channelId, negated: false },
    { operator: 'topic', operand: topic, negated: false },
  ]);
  narrow.reachesHistory = false;
  const window = { anchor: NEWEST_ANCHOR, includeAnchor: false, before: 1, after: 0 };
  const { messages } = await narrowed.around(actor, narrow, window, async (chosen) => ({ chosen }));
  return messages.length > 0;
}

import { Injectable } from '@nestjs/common';
import {
  Directory,
  hasSharedHistory,
  mayAdministerChannel,
  mayReadChannel,
  maySendTo,
  ROLE,
  type Channel,
  type User,
} from '#organization';
import { changesOf, oldestMovable } from './change.decider.js';
import { messageSettings, MOVED_MESSAGES_MAX, topicsPolicyIn } from './message-settings.js';
import { located, mayReadMessage } from './message.access.js';
import type { DestinationAnswers, MoveAnswers, MoveWindow, PropagateMode } from './message.commands.js';
import type { ChannelPlace } from './messages.events.js';
import { oldestLeft } from './oldest-left.js';
import { topicKeyOf } from './place.js';
import { MessagesReader } from './queries/messages.reader.js';
import { SendAnswers } from './send-answers.js';

/** Whoever changes their mind about a resolved topic within this time leaves no trace in it. */
const UNDO_SECONDS = 60;

export interface AskedMove {
  readonly actor: User;
  readonly messageId: number;
  readonly channel: Channel;
  readonly from: ChannelPlace;
  readonly to: ChannelPlace;
  readonly propagateMode: PropagateMode;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** Collects what deciding a move needs to know. */
@Injectable()
export class MoveAnswersCollector {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly answers: SendAnswers,
  ) {}

  /** undefined when the move would change nothing. */
  async collect(move: AskedMove): Promise<MoveAnswers | undefined> {
    const { actor, messageId, channel, from, to, propagateMode, at } = move;
    const changes = changesOf(from, to);
    if (changes === undefined) return undefined;
    const { directory } = this;
    const settings = messageSettings(directory);
    const skipsTimeLimits = actor.role <= ROLE.moderator;
    const ids = await this.#ids(move);
    const oldest = skipsTimeLimits ? undefined : oldestMovable(changes, settings, at);
    const { permissions } = channel;
    const there = await this.reader.newestInTopic(to.channelId, topicKeyOf(to.topic));
    return {
      to,
      mayChangeTopic:
        directory.holds(actor, settings.canMoveMessagesBetweenTopicsGroup) ||
        directory.holds(actor, permissions.can_move_messages_within_channel_group) ||
        mayAdministerChannel(directory, actor, channel),
      mayResolveTopic:
        directory.holds(actor, settings.canResolveTopicsGroup) ||
        directory.holds(actor, permissions.can_resolve_topics_group),
      mayLeaveChannel:
        directory.holds(actor, settings.canMoveMessagesBetweenChannelsGroup) ||
        directory.holds(actor, permissions.can_move_messages_out_of_channel_group),
      skipsTimeLimits,
      destination: await this.#destination(actor, to, changes.resolution),
      ids,
      firstLeft: changes.channel ? await oldestLeft(this.reader, channel, [messageId, ...ids]) : undefined,
      merges: there !== undefined,
      takesBack: changes.resolution
        ? await this.#noticeToTakeBack(Math.max(there?.id ?? 0, messageId, ids.at(-1) ?? 0), at)
        : undefined,
      ...(oldest === undefined || propagateMode !== 'change_all'
        ? undefined
        : { window: await this.#window(ids, oldest) }),
    };
  }

  async #destination(
    actor: User,
    { channelId, topic }: ChannelPlace,
    resolution: boolean,
  ): Promise<DestinationAnswers | undefined> {
    const channel = this.directory.channel(channelId);
    if (channel === undefined || !mayReadChannel(this.directory, actor, channel)) return undefined;
    return {
      name: channel.name,
      maySend: maySendTo(this.directory, actor, channel),
      mayUseTopic: resolution || (await this.answers.mayUseTopic(actor, channel, topic)),
      topicsPolicy: topicsPolicyIn(this.directory, channel.topicsPolicy),
    };
  }

  /** What the propagate mode asks for, as far as the actor can see it. One more than allowed tells that it is too much. */
  async #ids({ actor, messageId, channel, from, propagateMode }: AskedMove): Promise<readonly number[]> {
    if (propagateMode === 'change_one') return [messageId];
    const fromId = propagateMode === 'change_later' ? messageId : 1;
    const ids = await this.reader.idsInTopic(channel.channelId, topicKeyOf(from.topic), {
      fromId,
      limit: MOVED_MESSAGES_MAX + 1,
    });
    if (hasSharedHistory(channel)) return ids;
    const docs = await this.reader.getMany(ids);
    return ids.filter((id) => {
      const doc = docs.get(id);
      return doc !== undefined && mayReadMessage(this.directory, actor, located(id, doc));
    });
  }

  /** The last word in the topic, when that is a fresh notice of the opposite. */
  async #noticeToTakeBack(lastId: number, at: number): Promise<number | undefined> {
    const last = await this.reader.get(lastId);
    if (last?.unreadFor === undefined) return undefined;
    if (last.senderId !== this.directory.systemBot('notification').userId) return undefined;
    return at - last.at > UNDO_SECONDS ? undefined : lastId;
  }

  /** Messages are as old as their IDs are small, so a few looks find the first that is young enough. */
  async #window(ids: readonly number[], oldest: number): Promise<MoveWindow> {
    let low = 0;
    let high = ids.length;
    while (low < high) {
      const middle = low === 0 && high === ids.length ? 0 : (low + high) >>> 1;
      const doc = await this.reader.get(ids[middle] ?? 0);
      if (doc === undefined || doc.at < oldest) low = middle + 1;
      else high = middle;
    }
    return { firstAllowedId: ids[low] ?? null, allowedCount: ids.length - low };
  }
}

import { Injectable } from '@nestjs/common';
import { Directory } from '#people';
import { holdsRealmPermission } from '#realm/model';
import { mayAdministerChannel, mayReadChannel, maySendTo, type Channel } from '#channels/model';
import { ROLE, type User } from '#users/model';
import { messageSettings, topicsPolicyIn } from '../model/message-settings.js';
import type { ChannelPlace } from '../model/messages.events.js';
import type { DestinationAnswers, MoveContext, MoveWindow, PropagateMode } from './move.commands.js';
import { changesOf, oldestMovable } from './move.decider.js';
import { MovePortions } from './move-portions.js';
import { oldestLeft } from '../existing/oldest-left.js';
import { topicKeyOf } from '../model/place.js';
import { MessagesReader } from '../existing/messages.reader.js';
import { SendContext } from '../send/send-context.js';
import { markOf } from '../model/topic.js';

/** A resolved topic that is unresolved within this time, or the reverse, keeps no notice of either. */
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

/** Collects the data for deciding a move. */
@Injectable()
export class MoveContextReader {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly sendContext: SendContext,
    private readonly portions: MovePortions,
  ) {}

  /** Whether a time limit may exclude part of the topic, so that deciding needs the window. */
  async hasWindow(move: AskedMove): Promise<boolean> {
    const oldest = this.#oldest(move);
    return oldest !== undefined && !(await this.portions.isYoung({ ...move, topic: move.from.topic }, oldest));
  }

  /**
   * The part of the topic that is young enough to be moved, for `collect`. Slow for a large topic, so it is called
   * without the lock.
   */
  async window(move: AskedMove): Promise<MoveWindow | undefined> {
    const oldest = this.#oldest(move);
    return oldest === undefined ? undefined : this.portions.window({ ...move, topic: move.from.topic }, oldest);
  }

  /** Messages sent before this time stay; undefined when no limit applies to the whole topic. */
  #oldest({ actor, from, to, propagateMode, at }: AskedMove): number | undefined {
    const changes = changesOf(from, to);
    if (changes === undefined || propagateMode !== 'change_all' || actor.role <= ROLE.moderator) return undefined;
    return oldestMovable(changes, messageSettings(this.directory), at);
  }

  /** undefined when the move would change nothing. */
  async collect(move: AskedMove, window: MoveWindow | undefined): Promise<MoveContext | undefined> {
    const { actor, channel, from, to, at } = move;
    const changes = changesOf(from, to);
    if (changes === undefined) return undefined;
    const { directory } = this;
    const settings = messageSettings(directory);
    const skipsTimeLimits = actor.role <= ROLE.moderator;
    const { ids, rest, newest } = await this.#portion(move);
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
        holdsRealmPermission(directory, actor, 'can_move_messages_between_channels_group') ||
        directory.holds(actor, permissions.can_move_messages_out_of_channel_group) ||
        mayAdministerChannel(directory, actor, channel),
      skipsTimeLimits,
      destination: await this.#destination(actor, to, changes.resolution),
      ids,
      rest,
      firstLeft: changes.channel ? await oldestLeft(this.reader, channel, ids) : undefined,
      merges: there !== undefined,
      // A notice that is the last one where it moves to says the same.
      takesBack:
        markOf(from.topic, to.topic) !== undefined && newest > (there?.id ?? 0)
          ? await this.#noticeToTakeBack(newest, at)
          : undefined,
      window,
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
      mayUseTopic: resolution || (await this.sendContext.mayUseTopic(actor, channel, topic)),
      topicsPolicy: topicsPolicyIn(this.directory, channel.topicsPolicy),
    };
  }

  /** Messages selected by the propagate mode that the actor sees: as many as one event may move, and the rest. */
  async #portion({
    actor,
    messageId,
    channel,
    from,
    propagateMode,
  }: AskedMove): Promise<Pick<MoveContext, 'ids' | 'rest'> & { readonly newest: number }> {
    if (propagateMode === 'change_one') return { ids: [messageId], newest: messageId };
    const until = Math.max(await this.portions.newest(channel, from.topic), messageId);
    const after = propagateMode === 'change_later' ? messageId - 1 : 0;
    const topic = { actor, channel, topic: from.topic };
    const portion = await this.portions.next(topic, { after, until }, messageId);
    const ids = [...portion.ids, messageId].sort((a, b) => a - b);
    if (portion.isLast) return { ids, newest: until };
    return { ids, rest: { after: portion.after, until }, newest: until };
  }

  /** The last message of the topic, when it is a recent notice of the opposite. */
  async #noticeToTakeBack(lastId: number, at: number): Promise<number | undefined> {
    const last = await this.reader.get(lastId);
    if (last?.unreadFor === undefined) return undefined;
    if (last.senderId !== this.directory.systemBot('notification').userId) return undefined;
    return at - last.at > UNDO_SECONDS ? undefined : lastId;
  }
}

import { Injectable } from '@nestjs/common';
import { Clock, idsIn } from '#kernel';
import { Directory, type Channel, type User } from '#organization';
import { MessageDesk } from './message-desk.js';
import { MessageSender } from './message-sender.js';
import { INTERNAL_CLIENT, messageSettings } from './message-settings.js';
import type { ChannelPlace, MessagesMoved } from './messages.events.js';
import { moveNotices, resolutionOf, type NoticeWishes } from './move-notices.js';
import { oldestLeft } from './oldest-left.js';
import { topicKeyOf } from './place.js';
import { MessagesReader } from './queries/messages.reader.js';
import { inTopic } from './queries/place-filters.js';
import { TopicParticipants } from './topic-participants.js';

/** Whoever changes their mind about a resolved topic within this time leaves no trace in it. */
const UNDO_SECONDS = 60;

/** The notification bot tells topics what became of them (rules.md §6). */
@Injectable()
export class MoveBulletin {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly sender: MessageSender,
    private readonly participants: TopicParticipants,
    private readonly desk: MessageDesk,
    private readonly clock: Clock,
  ) {}

  /** Within the move's own turn. */
  async tell(actor: User, moved: MessagesMoved['data'], wishes: NoticeWishes): Promise<void> {
    const from = this.directory.channel(moved.from.channelId);
    const to = this.directory.channel(moved.to.channelId);
    if (from === undefined || to === undefined) return;
    const isResolution = resolutionOf(moved) !== undefined;
    if (isResolution && (await this.#takeBack(actor, moved.to))) return;
    const sameChannel = from.channelId === to.channelId;
    const answers = {
      names: { from: from.name, to: to.name },
      tellsPlace: { old: sameChannel || isPublic(from), new: sameChannel || isPublic(to) },
      isWhole: !isResolution && (wishes.oldThread || wishes.newThread) && (await this.#isWhole(moved)),
    };
    const unreadFor = isResolution ? { unreadFor: await this.#participants(moved) } : undefined;
    for (const { channelId, topic, content } of moveNotices(moved, actor, wishes, answers)) {
      await this.sender.send(this.#bot, {
        type: 'channel',
        to: channelId,
        topic,
        content,
        client: INTERNAL_CLIENT,
        readBySender: true,
        ...unreadFor,
      });
    }
  }

  get #bot(): User {
    return this.directory.systemBot('notification');
  }

  /** Deletes the notice of the opposite, when it is the last word in the topic and fresh. */
  async #takeBack(actor: User, { channelId, topic }: ChannelPlace): Promise<boolean> {
    const last = await this.reader.newestInTopic(channelId, topicKeyOf(topic));
    const channel = this.directory.channel(channelId);
    if (last === undefined || channel === undefined) return false;
    const { senderId, unreadFor, at } = last.doc;
    if (senderId !== this.#bot.userId || unreadFor === undefined) return false;
    if (this.clock.nowSeconds() - at > UNDO_SECONDS) return false;
    const message = await this.desk.open(actor, last.id);
    await this.desk.run({
      ...this.desk.envelope(actor, message),
      type: 'delete',
      mayDeleteAny: true,
      mayDeleteOwn: false,
      isOwn: false,
      arrival: last.doc.arrivals?.at(-1)?.position,
      firstLeft: await oldestLeft(this.reader, channel, [last.id]),
      settings: messageSettings(this.directory),
    });
    return true;
  }

  /**
   * Whether all of the topic moved, with what the actor may not see. In another spelling it is the same topic, and what
   * moved is still there.
   */
  async #isWhole({ from, ids }: MessagesMoved['data']): Promise<boolean> {
    const moved = new Set(idsIn(ids));
    for await (const page of this.reader.scan(inTopic(from.channelId, topicKeyOf(from.topic))))
      if (page.some(({ id }) => !moved.has(id))) return false;
    return true;
  }

  /** Who takes part in the topic, but for those who want such notices read. Ascending. */
  async #participants({ to }: MessagesMoved['data']): Promise<number[]> {
    const { preferences } = this.directory;
    const participants = await this.participants.of(to.channelId, to.topic);
    return participants.filter(
      (userId) =>
        this.directory.user(userId)?.systemBot === undefined &&
        preferences.setting(userId, 'resolved_topic_notice_auto_read_policy') !== 'always',
    );
  }
}

function isPublic(channel: Channel): boolean {
  return !channel.inviteOnly;
}

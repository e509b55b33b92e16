import { Injectable } from '@nestjs/common';
import type { Cause } from '#follow-ups';
import { idsIn } from '#kernel';
import { Directory, type Channel, type User } from '#organization';
import { MessageDesk } from './message-desk.js';
import { MessageSender } from './message-sender.js';
import { INTERNAL_CLIENT, messageSettings } from './message-settings.js';
import type { MessagesMoved, MovedWithWishes } from './messages.events.js';
import { moveNotices, resolutionOf } from './move-notices.js';
import { oldestLeft } from './oldest-left.js';
import { topicKeyOf } from './place.js';
import { MessagesReader } from './queries/messages.reader.js';
import { inTopic } from './queries/place-filters.js';
import { TopicParticipants } from './topic-participants.js';

/** The notification bot tells topics what became of them (rules.md §6). */
@Injectable()
export class MoveBulletin {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly sender: MessageSender,
    private readonly participants: TopicParticipants,
    private readonly desk: MessageDesk,
  ) {}

  /** Within a turn in which nothing else moves. What was said before stays said. */
  async tell(actor: User, { key, data: moved }: Cause<MovedWithWishes>): Promise<void> {
    const from = this.directory.channel(moved.from.channelId);
    const to = this.directory.channel(moved.to.channelId);
    if (from === undefined || to === undefined) return;
    const { takesBack, ...wishes } = moved.entails;
    if (takesBack !== undefined) return this.#takeBack(actor, takesBack);
    const isResolution = resolutionOf(moved) !== undefined;
    const sameChannel = from.channelId === to.channelId;
    const answers = {
      names: { from: from.name, to: to.name },
      tellsPlace: { old: sameChannel || isPublic(from), new: sameChannel || isPublic(to) },
      isWhole: !isResolution && (wishes.oldThread || wishes.newThread) && (await this.#isWhole(moved)),
    };
    const unreadFor = isResolution ? { unreadFor: await this.#participants(moved) } : undefined;
    for (const { channelId, topic, content, thread } of moveNotices(moved, actor, wishes, answers)) {
      await this.sender.sendOnce(this.#bot, `${key}:${thread}`, {
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

  /** Deletes the notice of the opposite, unless it has been deleted. */
  async #takeBack(actor: User, noticeId: number): Promise<void> {
    const message = await this.desk.open(actor, noticeId);
    await this.desk.run({
      ...this.desk.envelope(actor, message),
      type: 'delete',
      mayDeleteAny: true,
      mayDeleteOwn: false,
      isOwn: false,
      arrival: message.doc.arrivals?.at(-1)?.position,
      firstLeft: message.channel && (await oldestLeft(this.reader, message.channel, [noticeId])),
      settings: messageSettings(this.directory),
    });
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

import { Injectable } from '@nestjs/common';
import { isFinal, type Trigger } from '#follow-ups';
import { causedBy, type Origin } from '#kernel';
import { Directory } from '#people';
import type { Channel } from '#channels/model';
import type { User } from '#users/model';
import { TOPIC_POLICY, preferencesPart } from '#preferences/model';
import { type ReadSidePass, where } from '#read-store';
import { deletionDecider } from '../delete/deletion.decider.js';
import { MessageCommands } from '../existing/message-commands.js';
import { MessageSender } from '../send/message-sender.js';
import { INTERNAL_CLIENT, messageSettings } from '../model/message-settings.js';
import type { MessagesMoved, MovedWithWishes } from '../model/messages.events.js';
import { seesAnythingIn } from '../existing/visible-topic.js';
import { isMarkAlone, isSameTopic, moveNotices } from './move-notices.js';
import { oldestLeft } from '../existing/oldest-left.js';
import { topicKeyOf } from '../model/place.js';
import { MessagesReader } from '../existing/messages.reader.js';
import { inTopic } from '../existing/place-filters.js';
import { TopicParticipants } from '../render/topic-participants.js';

/** Subscribers for whom a notice is unread by their wish alone: the message names each of them. */
const WANTING_MAX = 1_000;

/** Posts the notification bot's notices of moves (rules.md §6). */
@Injectable()
export class MoveNotifier {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly sender: MessageSender,
    private readonly participants: TopicParticipants,
    private readonly commands: MessageCommands,
  ) {}

  /**
   * Notices that were posted before are not repeated.
   * @param count number of moved messages
   */
  async tell(
    actor: User,
    { key, data: moved }: Trigger<MovedWithWishes>,
    count: number,
    pass: ReadSidePass,
  ): Promise<void> {
    const from = this.directory.channel(moved.from.channelId);
    const to = this.directory.channel(moved.to.channelId);
    if (from === undefined || to === undefined) return;
    const { takesBack, oldThread, newThread } = moved.entails;
    if (takesBack !== undefined) {
      await this.#takeBack(actor, takesBack, causedBy({ key })).catch((error: unknown) => {
        // Where the actor has lost access meanwhile, the notice stays. The other notices do not depend on it.
        if (!isFinal(error)) throw error;
      });
    }
    const sameChannel = from.channelId === to.channelId;
    const isAlone = isMarkAlone(moved);
    const answers = {
      names: { from: from.name, to: to.name },
      tellsPlace: { old: sameChannel || isPublic(from), new: sameChannel || isPublic(to) },
      isWhole: (oldThread || (newThread && !isAlone)) && (await this.#isWhole(actor, moved, count)),
      count,
    };
    for (const { channelId, topic, content, name } of moveNotices(moved, actor, answers)) {
      const isAboutMark = (isAlone && name === 'new') || name === 'mark';
      const unreadFor = isAboutMark ? await this.#unreadFor(moved) : undefined;
      // A topic looks moved as a whole, and without participants, as well when the read models are put back.
      await pass.assertValid();
      await this.sender.sendOnce(
        this.#bot,
        `${key}:${name}`,
        {
          type: 'channel',
          to: channelId,
          topic,
          content,
          client: INTERNAL_CLIENT,
          readBySender: true,
          readBy: [actor.userId],
          ...(unreadFor && { unreadFor }),
        },
        causedBy({ key }),
      );
    }
  }

  get #bot(): User {
    return this.directory.systemBot('notification');
  }

  /** Deletes the notice of the opposite, unless it has been deleted. */
  async #takeBack(actor: User, noticeId: number, origin: Origin): Promise<void> {
    await this.commands.moveLock.exclusive(async () => {
      // An earlier attempt may have deleted it.
      if ((await this.reader.get(noticeId)) === undefined) return;
      const message = await this.commands.load(actor, noticeId);
      await this.commands.run(
        deletionDecider,
        {
          ...this.commands.context(actor, message),
          mayDeleteAny: true,
          mayDeleteOwn: false,
          isOwn: false,
          arrival: message.doc.arrivals?.at(-1)?.position,
          mentioned: [],
          firstLeft: message.channel && (await oldestLeft(this.reader, message.channel, [noticeId])),
          settings: messageSettings(this.directory),
        },
        origin,
      );
    });
  }

  /**
   * Whether the whole topic moved, as far as the actor sees it. Another spelling is the same topic, which still has the
   * moved messages.
   */
  async #isWhole(actor: User, { from, to, rest }: MessagesMoved['data'], count: number): Promise<boolean> {
    if (!isSameTopic(from, to)) return !(await seesAnythingIn(this.directory, this.reader, actor, from));
    const all = inTopic(from.channelId, topicKeyOf(from.topic));
    let there = 0;
    // Messages sent during the move are not part of it.
    const asked = rest === undefined ? all : where.and(all, where.range('$key', { lte: rest.until }));
    for await (const page of this.reader.scanIds(asked)) there += page.length;
    return there <= count;
  }

  /**
   * Users for whom the notice that a topic was marked is unread: those who take part in the topic or follow it, and
   * subscribers who want no such notice marked as read, without those who want all of them marked. Ascending.
   */
  async #unreadFor({ to: { channelId, topic } }: MessagesMoved['data']): Promise<number[]> {
    const preferences = this.directory.of(preferencesPart);
    const wishOf = (userId: number): string => preferences.setting(userId, 'resolved_topic_notice_auto_read_policy');
    const userIds = new Set(await this.participants.of(channelId, topic));
    for (const { userId, policy } of preferences.inTopic(channelId, topic))
      if (policy === TOPIC_POLICY.followed) userIds.add(userId);
    const wanting = this.directory.subscriberIds(channelId).filter((userId) => wishOf(userId) === 'never');
    for (const userId of wanting.slice(0, WANTING_MAX)) userIds.add(userId);
    return [...userIds]
      .filter((userId) => this.directory.user(userId)?.systemBot === undefined && wishOf(userId) !== 'always')
      .sort((a, b) => a - b);
  }
}

function isPublic(channel: Channel): boolean {
  return !channel.inviteOnly;
}

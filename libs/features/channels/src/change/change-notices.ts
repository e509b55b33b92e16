import { Injectable } from '@nestjs/common';
import type { Trigger, FollowUp } from '#follow-ups';
import { causedBy, forEachInBatches, nextSlice } from '#kernel';
import { silentMention } from '#markdown';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { MarkRead } from '#reading';
import { Directory } from '#people';
import type { Channel } from '../model/channels/channel.js';
import type { ChannelChanged } from '../model/channels/channel.events.js';
import { eventsTopicOf } from '../channel-notices.js';
import { changeNotices } from './change-notice-texts.js';

type Change = ChannelChanged['data'];

/** Users whose messages of an archived channel are marked as read at the same time: their searches may fall into one turn of the event loop. */
const MARKED_AT_ONCE = 4;

/** Notices of the notification bot in a channel that was changed (rules.md §6), and what is read by archiving it (§8). */
@Injectable()
export class ChangeNotices implements FollowUp<Change> {
  readonly isLong = true;

  constructor(
    private readonly directory: Directory,
    private readonly sender: MessageSender,
    private readonly marks: MarkRead,
  ) {}

  async carryOut({ key, data }: Trigger<Change>): Promise<void> {
    const { channelId, entails } = data;
    const channel = this.directory.channel(channelId);
    if (channel === undefined || entails === undefined) return;
    if (entails.notices) await this.#tell(key, channel, data);
    const { readThrough } = entails;
    if (readThrough === undefined) return;
    await forEachInBatches(MARKED_AT_ONCE, this.directory.subscriberIds(channelId), async (userId) => {
      // To find what is unread takes some milliseconds.
      await nextSlice();
      await this.marks.archived(userId, channelId, readThrough, causedBy({ key }));
    });
  }

  /**
   * One notice per change. For the actor they start read. In an archived channel they do for all users: nothing unread is
   * listed there, so it would turn up as new when the channel is unarchived.
   */
  async #tell(key: string, channel: Channel, change: Change): Promise<void> {
    const actor = this.directory.user(change.by);
    if (actor === undefined) return;
    const bot = this.directory.systemBot('notification');
    const topic = eventsTopicOf(channel);
    const { channelId } = channel;
    const texts = changeNotices(this.directory, silentMention(actor), channel, change);
    for (const [index, content] of texts.entries()) {
      await this.sender.sendOnce(
        bot,
        `${key}:${index}`,
        {
          type: 'channel',
          to: channelId,
          topic,
          content,
          client: INTERNAL_CLIENT,
          readBy: [actor.userId],
          ...((change.isArchived?.to ?? channel.isArchived) ? { unreadFor: [] } : {}),
        },
        causedBy({ key }),
      );
    }
  }
}

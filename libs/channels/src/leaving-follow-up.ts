import { Injectable } from '@nestjs/common';
import { EventStore } from '#event-store';
import { type Trigger, type FollowUp, FollowUps } from '#follow-ups';
import { MarkRead } from '#messages';
import type { ChannelUnsubscribed } from '#organization';
import { pushTo } from './push-to.js';
import { requestEvents } from './request-events.js';

/** Marks unread messages of a channel as read for a user who left it (rules.md §8). */
@Injectable()
export class LeavingFollowUp implements FollowUp<ChannelUnsubscribed['data']> {
  readonly cause = 'channel.unsubscribed.v1' satisfies ChannelUnsubscribed['type'];

  constructor(
    private readonly store: EventStore,
    private readonly marks: MarkRead,
    followUps: FollowUps,
  ) {
    followUps.add(this);
  }

  async carryOut(cause: Trigger<ChannelUnsubscribed['data']>): Promise<void> {
    const left = new Map<number, number[]>();
    for (const event of await requestEvents(this.store, cause)) {
      if (event.type !== 'channel.unsubscribed.v1') continue;
      for (const userId of event.data.userIds) pushTo(left, userId, event.data.channelId);
    }
    for (const [userId, channelIds] of left) await this.marks.leftChannels(userId, channelIds);
  }
}

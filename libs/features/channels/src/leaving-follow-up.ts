import { Injectable } from '@nestjs/common';
import { EventStore } from '#event-store';
import { causedBy, nextSlice } from '#kernel';
import type { FollowUp, Trigger } from '#follow-ups';
import { MarkRead } from '#reading';
import type { OrganizationEvent } from '#people';
import type { ChannelsUnsubscribed, ChannelUnsubscribed } from './model/subscriptions/subscription.events.js';
import { pushTo } from './push-to.js';
import { requestEvents } from './request-events.js';

type Cause = Trigger<(ChannelUnsubscribed | ChannelsUnsubscribed)['data']>;

/** Marks unread messages of a channel as read for a user who left it (rules.md §8). */
@Injectable()
export class LeavingFollowUp implements FollowUp<Cause['data']> {
  readonly isLong = true;

  constructor(
    private readonly store: EventStore,
    private readonly marks: MarkRead,
  ) {}

  async carryOut(cause: Cause): Promise<void> {
    const left = new Map<number, number[]>();
    for (const event of await requestEvents(this.store, cause)) {
      for (const { channelId, userIds } of leftBy(event)) for (const userId of userIds) pushTo(left, userId, channelId);
    }
    for (const [userId, channelIds] of left) {
      await nextSlice();
      await this.marks.leftChannels(userId, channelIds, causedBy(cause));
    }
  }
}

function leftBy(event: OrganizationEvent): { readonly channelId: number; readonly userIds: readonly number[] }[] {
  if (event.type === 'channel.unsubscribed.v1') return [event.data];
  if (event.type !== 'channels.unsubscribed.v1') return [];
  const { channelIds, userIds } = event.data;
  return channelIds.map((channelId) => ({ channelId, userIds }));
}

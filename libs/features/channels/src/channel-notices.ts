import { Injectable } from '@nestjs/common';
import { EventStore } from '#event-store';
import type { FollowUp, Trigger } from '#follow-ups';
import { causedBy, forEachInBatches } from '#kernel';
import { fenceAround, silentMention } from '#markdown';
import { INTERNAL_CLIENT, MessageSender, type SendRequest } from '#messages';
import { Directory, type OrganizationEvent } from '#people';
import type { User } from '#users/model';
import { announcementsChannel } from './model/channels/announcements-channel.js';
import type { Channel } from './model/channels/channel.js';
import type { ChannelCreated } from './model/channels/channel.events.js';
import type { ChannelSubscribed, ChannelsSubscribed } from './model/subscriptions/subscription.events.js';
import type { Privacy } from './channel-privacy.js';
import { pushTo } from './push-to.js';
import { requestEvents } from './request-events.js';

const NEW_CHANNELS_TOPIC = 'new channels';
const CHANNEL_EVENTS_TOPIC = 'channel events';
const TOLD_AT_ONCE = 16;

/** A channel is created last in a request that subscribes nobody. */
type Cause = Trigger<(ChannelSubscribed | ChannelsSubscribed | ChannelCreated)['data']>;

/** Notices of the notification bot about subscriptions by others, and about new channels (rules.md §6): read for who caused them. */
@Injectable()
export class ChannelNotices implements FollowUp<Cause['data']> {
  constructor(
    private readonly directory: Directory,
    private readonly store: EventStore,
    private readonly sender: MessageSender,
  ) {}

  async carryOut(cause: Cause): Promise<void> {
    const { data } = cause;
    const { entails } = data;
    const by = 'creatorId' in data ? data.creatorId : data.by;
    const actor = by === null ? undefined : this.directory.user(by);
    if (actor === undefined || entails === undefined) return;
    const events = await requestEvents(this.store, cause);
    const created = events.flatMap(({ type, data }) => (type === 'channel.created.v1' ? [data.channelId] : []));
    if (entails.announces) await this.#announce(actor, created, cause);
    if (entails.introduces === true) await this.#introduce(actor, created, cause);
    if (entails.tells) await this.#tellSubscribers(actor, events, new Set(created), cause);
  }

  async #announce(actor: User, created: readonly number[], { key }: Trigger): Promise<void> {
    const channel = announcementsChannel(this.directory);
    if (channel === undefined) return;
    const noun = created.length === 1 ? 'a new channel' : 'new channels';
    await this.#say(actor, key, 'announcement', {
      type: 'channel',
      to: channel.channelId,
      topic: NEW_CHANNELS_TOPIC,
      content: `${silentMention(actor)} created ${noun} ${this.#linksTo(created)}.`,
    });
  }

  /** Each new channel starts with an introduction. */
  async #introduce(actor: User, created: readonly number[], { key }: Trigger): Promise<void> {
    const channels = created.flatMap((channelId) => this.directory.channel(channelId) ?? []);
    await forEachInBatches(TOLD_AT_ONCE, channels, (channel) => {
      const { channelId } = channel;
      return this.#say(actor, key, `channel:${channelId}`, {
        type: 'channel',
        to: channelId,
        topic: eventsTopicOf(channel),
        content: `**${policyName(channel)}** channel created by ${silentMention(actor)}. **Description:**\n${quoted(channel.description)}`,
      });
    });
  }

  async #tellSubscribers(
    actor: User,
    events: readonly OrganizationEvent[],
    created: ReadonlySet<number>,
    { key }: Trigger,
  ): Promise<void> {
    const subscribed = new Map<number, number[]>();
    for (const { channelId, userIds } of events.flatMap(joinedBy)) {
      if (created.has(channelId)) continue;
      for (const userId of userIds) pushTo(subscribed, userId, channelId);
    }
    const told = [...subscribed].filter(
      ([userId]) => userId !== actor.userId && this.directory.user(userId)?.botType === null,
    );
    await forEachInBatches(TOLD_AT_ONCE, told, ([userId, channelIds]) => {
      const noun = channelIds.length === 1 ? 'the channel' : 'the following channels:';
      return this.#say(actor, key, String(userId), {
        type: 'direct',
        to: [userId],
        content: `${silentMention(actor)} subscribed you to ${noun} ${this.#linksTo(channelIds)}.`,
      });
    });
  }

  #linksTo(channelIds: readonly number[]): string {
    return channelIds.map((channelId) => `#**${this.directory.channel(channelId)?.name ?? ''}**`).join(', ');
  }

  #say(
    actor: User,
    key: string,
    name: string,
    message: Pick<SendRequest, 'type' | 'to' | 'topic' | 'content'>,
  ): Promise<void> {
    const bot = this.directory.systemBot('notification');
    const request = { ...message, client: INTERNAL_CLIENT, readBy: [actor.userId] };
    return this.sender.sendOnce(bot, `${key}:${name}`, request, causedBy({ key }));
  }
}

/** Topic of the notices in a channel itself. */
export function eventsTopicOf({ topicsPolicy }: Channel): string {
  return topicsPolicy === 'empty_topic_only' ? '' : CHANNEL_EVENTS_TOPIC;
}

export function policyName({ isWebPublic, inviteOnly, historyPublicToSubscribers }: Privacy): string {
  if (isWebPublic) return 'Web-public';
  if (!inviteOnly) return 'Public';
  return historyPublicToSubscribers ? 'Private shared history' : 'Private protected history';
}

/** Quotes the description in a fence that the text cannot end; mentions in it notify no user. */
export function quoted(description: string): string {
  if (description === '') return '*No description.*';
  const fence = fenceAround(description, 4);
  return `${fence} quote\n${description}\n${fence}`;
}

function joinedBy(event: OrganizationEvent): { readonly channelId: number; readonly userIds: readonly number[] }[] {
  if (event.type === 'channel.subscribed.v1') {
    const { channelId, subscribers } = event.data;
    return [{ channelId, userIds: subscribers.map(({ userId }) => userId) }];
  }
  if (event.type !== 'channels.subscribed.v1') return [];
  const { channels, userIds } = event.data;
  return channels.map(({ channelId }) => ({ channelId, userIds }));
}

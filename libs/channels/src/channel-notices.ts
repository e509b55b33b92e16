import { Injectable } from '@nestjs/common';
import { EventStore } from '#event-store';
import { type Cause, type FollowUp, FollowUps } from '#follow-ups';
import { atOnce } from '#kernel';
import { silentMention } from '#markdown';
import { INTERNAL_CLIENT, MessageSender, type SendRequest } from '#messages';
import {
  announcementsChannel,
  type ChannelSubscribed,
  Directory,
  type OrganizationEvent,
  type User,
} from '#organization';
import { pushTo } from './push-to.js';
import { requestFacts } from './request-facts.js';

const NEW_CHANNELS_TOPIC = 'new channels';
const TOLD_AT_ONCE = 16;

/** What the notification bot says of channels when somebody subscribes to them, and others (rules.md §6). */
@Injectable()
export class ChannelNotices implements FollowUp<ChannelSubscribed['data']> {
  readonly cause = 'channel.subscribed.v1' satisfies ChannelSubscribed['type'];

  constructor(
    private readonly directory: Directory,
    private readonly store: EventStore,
    private readonly sender: MessageSender,
    followUps: FollowUps,
  ) {
    followUps.add(this);
  }

  async carryOut(cause: Cause<ChannelSubscribed['data']>): Promise<void> {
    const { by, entails } = cause.data;
    const actor = by === null ? undefined : this.directory.user(by);
    if (actor === undefined || entails === undefined) return;
    const facts = await requestFacts(this.store, cause);
    const created = facts.flatMap(({ type, data }) => (type === 'channel.created.v1' ? [data.channelId] : []));
    if (entails.announces) await this.#announce(actor, created, cause);
    if (entails.tells) await this.#tellSubscribers(actor, facts, new Set(created), cause);
  }

  async #announce(actor: User, created: readonly number[], { key }: Cause): Promise<void> {
    const channel = announcementsChannel(this.directory);
    if (channel === undefined) return;
    const noun = created.length === 1 ? 'a new channel' : 'new channels';
    await this.#say(`${key}:announcement`, {
      type: 'channel',
      to: channel.channelId,
      topic: NEW_CHANNELS_TOPIC,
      content: `${silentMention(actor)} created ${noun} ${this.#linksTo(created)}.`,
    });
  }

  async #tellSubscribers(
    actor: User,
    facts: readonly OrganizationEvent[],
    created: ReadonlySet<number>,
    { key }: Cause,
  ): Promise<void> {
    const subscribed = new Map<number, number[]>();
    for (const { type, data } of facts) {
      if (type !== 'channel.subscribed.v1' || created.has(data.channelId)) continue;
      for (const { userId } of data.subscribers) pushTo(subscribed, userId, data.channelId);
    }
    const told = [...subscribed].filter(
      ([userId]) => userId !== actor.userId && this.directory.user(userId)?.botType === null,
    );
    await atOnce(TOLD_AT_ONCE, told, ([userId, channelIds]) => {
      const noun = channelIds.length === 1 ? 'the channel' : 'the following channels:';
      return this.#say(`${key}:${userId}`, {
        type: 'direct',
        to: [userId],
        content: `${silentMention(actor)} subscribed you to ${noun} ${this.#linksTo(channelIds)}.`,
      });
    });
  }

  #linksTo(channelIds: readonly number[]): string {
    return channelIds.map((channelId) => `#**${this.directory.channel(channelId)?.name ?? ''}**`).join(', ');
  }

  #say(name: string, message: Pick<SendRequest, 'type' | 'to' | 'topic' | 'content'>): Promise<void> {
    const bot = this.directory.systemBot('notification');
    return this.sender.sendOnce(bot, name, { ...message, client: INTERNAL_CLIENT });
  }
}

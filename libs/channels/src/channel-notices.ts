import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { silentMention } from '#markdown';
import { INTERNAL_CLIENT, SendMessageCommand } from '#messages';
import { announcementsChannel, Directory, type User } from '#organization';
import type { Subscribed } from './subscribe.decider.js';

export interface NoticeWishes {
  /** Tell everybody of channels that were created. */
  readonly announce: boolean;
  /** Tell people that somebody else subscribed them. */
  readonly tellSubscribers: boolean;
}

const NEW_CHANNELS_TOPIC = 'new channels';
/** Beyond this, telling each person apart would be a flood (`max_bulk_new_subscription_messages`). */
const TOLD_MAX = 100;

/** What the notification bot says about channels (rules.md §6). */
@Injectable()
export class ChannelNotices {
  constructor(
    private readonly directory: Directory,
    private readonly commands: CommandBus,
  ) {}

  /** @returns whether people were told that they were subscribed */
  async subscribed(actor: User, decided: Subscribed, wishes: NoticeWishes, inviteOnly: boolean): Promise<boolean> {
    if (wishes.announce && !inviteOnly && decided.created.length > 0) await this.#announce(actor, decided.created);
    if (!wishes.tellSubscribers) return false;
    return this.#tellSubscribers(actor, decided);
  }

  async #announce(actor: User, created: readonly string[]): Promise<void> {
    const channel = announcementsChannel(this.directory);
    if (channel === undefined) return;
    const names = created.map((name) => `#**${name}**`).join(', ');
    const noun = created.length === 1 ? 'a new channel' : 'new channels';
    await this.#say({
      type: 'channel',
      to: channel.channelId,
      topic: NEW_CHANNELS_TOPIC,
      content: `${silentMention(actor)} created ${noun} ${names}.`,
    });
  }

  async #tellSubscribers(actor: User, { subscribed, created }: Subscribed): Promise<boolean> {
    const others = [...subscribed].filter(([userId]) => userId !== actor.userId);
    if (others.length > TOLD_MAX) return false;
    for (const [userId, names] of others) {
      const existing = names.filter((name) => !created.includes(name));
      if (existing.length === 0 || this.directory.user(userId)?.botType !== null) continue;
      const list = existing.map((name) => `#**${name}**`).join(', ');
      const noun = existing.length === 1 ? 'the channel' : 'the following channels:';
      await this.#say({
        type: 'direct',
        to: [userId],
        content: `${silentMention(actor)} subscribed you to ${noun} ${list}.`,
      });
    }
    return true;
  }

  async #say(message: Pick<SendMessageCommand['request'], 'type' | 'to' | 'topic' | 'content'>): Promise<void> {
    const bot = this.directory.systemBot('notification');
    await this.commands.execute(new SendMessageCommand(bot, { ...message, client: INTERNAL_CLIENT }));
  }
}

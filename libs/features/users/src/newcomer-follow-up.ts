import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import type { Trigger, FollowUp } from '#follow-ups';
import { causedBy } from '#kernel';
import { silentMention } from '#markdown';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { newUserSettingsDecider } from '#preferences/model';
import { NewcomerHistory } from '#reading';
import { Directory } from '#people';
import type { UserEvent } from './model/user.events.js';

type UserCreated = Extract<UserEvent, { type: 'user.created.v1' }>;

const SIGNUPS_TOPIC = 'signups';

/**
 * What comes with a new user: the personal settings that the organization has set for new users, recent messages, the message that
 * the welcome bot sends them, and the one by which the notification bot announces them.
 */
@Injectable()
export class NewcomerFollowUp implements FollowUp<UserCreated['data']> {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly sender: MessageSender,
    private readonly history: NewcomerHistory,
  ) {}

  async carryOut({ key, data }: Trigger<UserCreated['data']>): Promise<void> {
    const { userId, at, entails = {} } = data;
    const { settings, welcome, announcedIn, announcedBy, history } = entails;
    if (settings !== undefined)
      await this.runner.run(newUserSettingsDecider, streams.user(userId), { userId, settings, at }, causedBy({ key }));
    if (history === true) await this.history.give(userId, causedBy({ key }));
    if (welcome !== undefined) {
      const message = { type: 'direct', to: [userId], content: welcome, client: INTERNAL_CLIENT } as const;
      await this.sender.sendOnce(this.directory.systemBot('welcome'), `${key}:welcome`, message, causedBy({ key }));
    }
    if (announcedIn !== undefined) await this.#announce(key, userId, announcedIn, announcedBy);
  }

  async #announce(key: string, userId: number, channelId: number, by: number | undefined): Promise<void> {
    const user = this.directory.user(userId);
    if (user === undefined) return;
    const message = {
      type: 'channel',
      to: channelId,
      topic: SIGNUPS_TOPIC,
      content: `${silentMention(user)} joined this organization.`,
      client: INTERNAL_CLIENT,
      readBy: by === undefined ? [userId] : [userId, by],
    } as const;
    await this.sender.sendOnce(
      this.directory.systemBot('notification'),
      `${key}:announcement`,
      message,
      causedBy({ key }),
    );
  }
}

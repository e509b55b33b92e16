import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { causedBy } from '#kernel';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { Directory } from '#people';
import type { ScheduledFailed } from './scheduled.events.js';

/** Tells the sender of a scheduled message that it could not be sent, and why (rules.md §6). */
@Injectable()
export class TellScheduledFailure implements FollowUp<ScheduledFailed['data']> {
  constructor(
    private readonly directory: Directory,
    private readonly sender: MessageSender,
  ) {}

  async carryOut({ key, data: { userId, message, reason } }: Trigger<ScheduledFailed['data']>): Promise<void> {
    if (this.directory.user(userId)?.isActive !== true) return;
    const time = new Date(message.deliverAt * 1000).toISOString().replace('.000Z', 'Z');
    await this.sender.sendOnce(
      this.directory.systemBot('notification'),
      `${key}:notice`,
      {
        type: 'direct',
        to: [userId],
        content:
          `The message you scheduled for <time:${time}> was not sent because of the following error:\n\n` +
          `> ${reason}\n\n[View scheduled messages](#scheduled)`,
        client: INTERNAL_CLIENT,
      },
      causedBy({ key }),
    );
  }
}

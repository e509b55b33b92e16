import { Injectable } from '@nestjs/common';
import { causedBy, forEachInBatches } from '#kernel';
import { silentMention } from '#markdown';
import { Directory } from '#people';
import { isActiveOwner } from '#users/model';
import { INTERNAL_CLIENT } from '../model/message-settings.js';
import { MessageSender } from './message-sender.js';

const TOLD_AT_ONCE = 16;
/** Of a list, a notice names so many. */
const NAMED_MAX = 20;

/** Direct messages of the notification bot about an event. */
@Injectable()
export class BotNotices {
  constructor(
    private readonly directory: Directory,
    private readonly sender: MessageSender,
  ) {}

  /** Active people who are owners. */
  get ownerIds(): readonly number[] {
    return [...this.directory.users()].filter(isActiveOwner).map(({ userId }) => userId);
  }

  /** Users as a notice names them, which tells them nothing. */
  namesOf(userIds: readonly number[]): string[] {
    return userIds.map((userId) => {
      const user = this.directory.user(userId);
      return user === undefined ? `user ${userId}` : silentMention(user);
    });
  }

  /**
   * Each is told once, however often the follow-up is carried out. For who caused the event the message starts read.
   * @param key of the event that is followed
   * @param name unique among all follow-ups, but for the user
   * @param by ID of the user who caused the event; without it, it starts unread for everybody
   */
  async tell(key: string, name: string, userIds: readonly number[], content: string, by?: number): Promise<void> {
    const bot = this.directory.systemBot('notification');
    await forEachInBatches(TOLD_AT_ONCE, userIds, (userId) =>
      this.sender.sendOnce(
        bot,
        `${name}:${userId}`,
        {
          type: 'direct',
          to: [userId],
          content,
          client: INTERNAL_CLIENT,
          readBy: userId === by ? [by] : [],
        },
        causedBy({ key }),
      ),
    );
  }
}

/** The first of the names, and how many there are beyond. */
export function namesInNotice(names: readonly string[]): string {
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
  return `${names.slice(0, NAMED_MAX).join(', ')}${more}`;
}

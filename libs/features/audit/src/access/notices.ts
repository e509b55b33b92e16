import { Injectable } from '@nestjs/common';
import { causedBy, forEachInBatches } from '#kernel';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { Directory } from '#people';
import { ROLE } from '#users/model';

const TOLD_AT_ONCE = 16;

/** Direct messages of the notification bot to those who watch over the audit. */
@Injectable()
export class AuditNotices {
  constructor(
    private readonly directory: Directory,
    private readonly sender: MessageSender,
  ) {}

  /** Active people who are owners. */
  get ownerIds(): readonly number[] {
    return [...this.directory.users()]
      .filter(({ role, isActive, botType }) => role === ROLE.owner && isActive && botType === null)
      .map(({ userId }) => userId);
  }

  /**
   * Each is told once, however often the follow-up is carried out.
   * @param key of the event that is followed
   * @param name of the notice, among those of the event
   */
  async tell(key: string, name: string, userIds: readonly number[], content: string): Promise<void> {
    const bot = this.directory.systemBot('notification');
    await forEachInBatches(TOLD_AT_ONCE, userIds, (userId) =>
      this.sender.sendOnce(
        bot,
        `${key}:${name}:${userId}`,
        { type: 'direct', to: [userId], content, client: INTERNAL_CLIENT },
        causedBy({ key }),
      ),
    );
  }
}

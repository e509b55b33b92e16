import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { causedBy } from '#kernel';
import { silentMention } from '#markdown';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import type { BotOwnerChanged } from '#users/model';
import { Directory } from '#people';
import { botsPart } from './model/bots.part.js';

/** The new owner of a bot is told by the notification bot, with who gave it (rules.md §14). */
@Injectable()
export class OwnerNotice implements FollowUp<BotOwnerChanged['data']> {
  constructor(
    private readonly directory: Directory,
    private readonly sender: MessageSender,
  ) {}

  async carryOut({ key, data: { userId, to, by } }: Trigger<BotOwnerChanged['data']>): Promise<void> {
    const [bot, actor] = [this.directory.user(userId), this.directory.user(by)];
    if (bot === undefined || actor === undefined) return;
    const what = to === by ? 'You now own the bot' : `${silentMention(actor)} gave you the bot`;
    const { service } = this.directory.of(botsPart).get(userId);
    const calls = service === undefined ? '' : ' It still calls the service that its former owner has set.';
    await this.sender.sendOnce(
      this.directory.systemBot('notification'),
      `${key}:notice`,
      {
        type: 'direct',
        to: [to],
        content: `${what} ${silentMention(bot)}. It has another API key, which is shown in its settings.${calls}`,
        client: INTERNAL_CLIENT,
        readBy: to === by ? [by] : [],
      },
      causedBy({ key }),
    );
  }
}

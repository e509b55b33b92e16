import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { silentMention } from '#markdown';
import { BotNotices } from '#messages';
import { Directory } from '#people';
import { EmailChangedMail } from './links/email-change-mail.js';
import type { UserEvent } from './model/user.events.js';

type Changed = Extract<UserEvent, { type: 'user.changed.v1' }>['data'];

/** What changes of accounts entail: mails about a new address, and a notice to all owners when a role changes who may audit. */
@Injectable()
export class UserChangedFollowUp implements FollowUp<Changed> {
  constructor(
    private readonly directory: Directory,
    private readonly notices: BotNotices,
    private readonly mail: EmailChangedMail,
  ) {}

  async carryOut({ key, data: { userId, by, email, entails = {} } }: Trigger<Changed>): Promise<void> {
    const { formerEmail, auditor } = entails;
    if (email !== undefined && formerEmail !== undefined) await this.mail.queue(key, formerEmail, email);
    const [actor, user] = [this.directory.user(by), this.directory.user(userId)];
    if (auditor === undefined || actor === undefined || user === undefined) return;
    const what =
      auditor === 'gained' ? 'may audit this organization from now on' : 'may not audit this organization any more';
    const content = `${silentMention(actor)} changed the role of ${silentMention(user)}, who ${what} (\`can_audit_group\`).`;
    // Unread for the actor as well: it may be somebody else who acts with an owner's account.
    await this.notices.tell(key, `${key}:auditors`, this.notices.ownerIds, content);
  }
}

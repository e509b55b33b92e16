import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { causedBy, Clock } from '#kernel';
import { Mailer, type MailTemplate } from '#mail';
import { Directory } from '#people';
import { LINK_VALID_SECONDS } from '#pages';
import type { UserEvent } from '../model/user.events.js';
import { AccountLinks, addressMark } from './account-links.js';

type Data<Type extends UserEvent['type']> = Extract<UserEvent, { type: Type }>['data'];

/** The mail to an address that a user wants, with a link to confirm it. */
@Injectable()
export class ConfirmEmailMail implements FollowUp<Data<'user.email-change-requested.v1'>>, MailTemplate {
  readonly name = 'email-change-confirmation';

  constructor(
    private readonly directory: Directory,
    private readonly links: AccountLinks,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  async carryOut({ key, data }: Trigger<Data<'user.email-change-requested.v1'>>): Promise<void> {
    const { userId, email, at } = data;
    await this.mailer.queue(key, this.name, { userId: String(userId), email, since: String(at) }, causedBy({ key }));
  }

  compose({ userId, email = '', since }: Readonly<Record<string, string>>): ReturnType<MailTemplate['compose']> {
    const user = this.directory.user(Number(userId));
    // Another request takes the place of this one.
    if (user?.isActive !== true || user.requestedEmail !== email || user.emailRequestedAt !== Number(since))
      return undefined;
    if (Number(since) + LINK_VALID_SECONDS <= this.clock.nowSeconds()) return undefined;
    const { name } = this.directory.organization;
    const link = { userId: user.userId, since: Number(since), mark: addressMark(email) };
    return {
      to: email,
      subject: `Verify your new address for ${name}`,
      paragraphs: [`The address of an account on ${name} is to change from ${user.email} to ${email}.`],
      action: { label: 'Confirm the new address', url: this.links.confirm(link) },
      closing: ['The link works once, for a day.', 'If you did not ask for this, you can ignore this mail.'],
    };
  }
}

/** Tells people at both addresses that the one of their account has changed (rules.md §14). */
@Injectable()
export class EmailChangedMail implements MailTemplate {
  readonly name = 'email-changed';

  constructor(
    private readonly directory: Directory,
    private readonly mailer: Mailer,
  ) {}

  async queue(key: string, formerEmail: string, email: string): Promise<void> {
    for (const to of [formerEmail, email])
      await this.mailer.queue(
        `${key}:${to === email ? 'new' : 'former'}`,
        this.name,
        { to, formerEmail, email },
        causedBy({ key }),
      );
  }

  compose({ to = '', formerEmail, email }: Readonly<Record<string, string>>): ReturnType<MailTemplate['compose']> {
    const { name } = this.directory.organization;
    return {
      to,
      subject: `New address of your account on ${name}`,
      paragraphs: [
        `The e-mail address of your account on ${name} has been changed from ${formerEmail} to ${email}.`,
        'Log in with the new one from now on. If this is wrong, please tell an administrator.',
      ],
    };
  }
}

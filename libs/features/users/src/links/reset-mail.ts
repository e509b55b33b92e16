import { Injectable } from '@nestjs/common';
import { Clock, type Origin } from '#kernel';
import { Mailer, type MailTemplate, visitorMailName } from '#mail';
import { Directory } from '#people';
import { LINK_VALID_SECONDS } from '#pages';
import { takesPasswords } from './account-links.decider.js';
import { AccountLinks, passwordMark } from './account-links.js';

/** The mail with a link to set a new password. */
@Injectable()
export class ResetMail implements MailTemplate {
  readonly name = 'password-reset';

  constructor(
    private readonly directory: Directory,
    private readonly links: AccountLinks,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** Queued for any address, so that neither answer nor time tells who has an account; composed for accounts alone. */
  async send(email: string, origin: Origin): Promise<void> {
    const since = this.clock.nowSeconds();
    const name = visitorMailName('password-reset', email, since);
    await this.mailer.queue(name, this.name, { email, since: String(since) }, origin);
  }

  compose({ email = '', since }: Readonly<Record<string, string>>): ReturnType<MailTemplate['compose']> {
    const user = this.directory.userByEmail(email);
    const isTooLate = Number(since) + LINK_VALID_SECONDS <= this.clock.nowSeconds();
    if (user?.botType !== null || this.directory.isDeactivated || isTooLate) return undefined;
    const { name } = this.directory.organization;
    const subject = `Password reset for ${name}`;
    const ignore = 'If you did not ask for this, you can ignore this mail: your password stays as it is.';
    if (!user.isActive || !takesPasswords(this.directory)) {
      const why = user.isActive ? 'People log in there without a password.' : 'Your account there is deactivated.';
      return { to: user.email, subject, paragraphs: [`Somebody asked for a new password for ${name}.`, why, ignore] };
    }
    const link = { userId: user.userId, since: Number(since), mark: passwordMark(user) };
    return {
      to: user.email,
      subject,
      paragraphs: [`Somebody asked for a new password for your account ${user.email} on ${name}.`],
      action: { label: 'Set a new password', url: this.links.reset(link) },
      closing: ['The link works once, for a day.', ignore],
    };
  }
}

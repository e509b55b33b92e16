import { Injectable } from '@nestjs/common';
import { clientAdvice } from '#http';
import { Clock, type Origin } from '#kernel';
import { Mailer, type MailTemplate, visitorMailName } from '#mail';
import { Directory } from '#people';
import { Site } from '#realm/model';
import { LINK_VALID_SECONDS } from '#pages';
import { usableInvitation } from '../invitations.access.js';
import { JoinLinks } from '../join-links.js';
import { lasting } from './lasting.js';

/** The mail to who wants to join by a link for many: it proves that the address is theirs. */
@Injectable()
export class JoinMail implements MailTemplate {
  readonly name = 'join-confirmation';

  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly links: JoinLinks,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
  ) {}

  /** Also to an address that has an account, so that the visitor cannot tell. */
  async send(invitationId: number, email: string, origin: Origin): Promise<void> {
    const at = this.clock.nowSeconds();
    const name = visitorMailName(`join:${invitationId}`, email, at);
    const values = { invitationId: String(invitationId), email, expiresAt: String(at + LINK_VALID_SECONDS) };
    await this.mailer.queue(name, this.name, values, origin);
  }

  compose(values: Readonly<Record<string, string>>): ReturnType<MailTemplate['compose']> {
    const { invitationId, email = '', expiresAt } = values;
    const at = this.clock.nowSeconds();
    const invitation = usableInvitation(this.directory, Number(invitationId), at);
    if (invitation === undefined || Number(expiresAt) <= at) return undefined;
    const { name } = this.directory.organization;
    const ignore = 'If you did not ask for this, you can ignore this mail.';
    if (this.directory.userByEmail(email) !== undefined)
      return {
        to: email,
        subject: `Your account on ${name}`,
        paragraphs: ['Somebody wanted to join with this address, which has an account already.'],
        action: { label: 'Set a new password', url: `${this.site.url}/accounts/password/reset/` },
        closing: [ignore],
      };
    return {
      to: email,
      subject: `Confirm your address for ${name}`,
      paragraphs: [`You are about to join ${name}. Choose your name and a password to go on.`],
      action: {
        label: 'Complete registration',
        url: this.links.confirmed(invitation.invitationId, email, Number(expiresAt)),
      },
      closing: [
        `The link expires in ${lasting(Number(expiresAt) - at)}.`,
        `Then: ${clientAdvice(this.site.url)}`,
        ignore,
      ],
    };
  }
}

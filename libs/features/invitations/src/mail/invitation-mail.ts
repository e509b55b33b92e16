import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { clientAdvice } from '#http';
import { BY_SERVER, causedBy, Clock, forEachInBatches } from '#kernel';
import { Mailer, type MailTemplate } from '#mail';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { apiEmail } from '#users/model';
import { Directory } from '#people';
import { Site } from '#realm/model';
import { usableInvitation } from '../invitations.access.js';
import { JoinLinks } from '../join-links.js';
import { lasting } from './lasting.js';
import type { InvitationEvent } from '../model/invitation.events.js';

type Data<Type extends InvitationEvent['type']> = Extract<InvitationEvent, { type: Type }>['data'];

const TEMPLATE = 'invitation';
/** Their appends share commits of the log. */
const CONCURRENT_MAX = 20;

/** The mail that invites one person: composed when it is sent, so that one that was revoked meanwhile is not sent. */
@Injectable()
export class InvitationMail implements FollowUp<Data<'invitations.sent.v1'>>, MailTemplate {
  readonly name = TEMPLATE;

  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly links: JoinLinks,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly sender: MessageSender,
  ) {}

  async carryOut({ key, data: { invitations } }: Trigger<Data<'invitations.sent.v1'>>): Promise<void> {
    await forEachInBatches(CONCURRENT_MAX, invitations, async ({ invitationId }) => {
      const values = { invitationId: String(invitationId) };
      await this.mailer.queue(`${key}:${invitationId}`, this.name, values, causedBy({ key }));
    });
  }

  compose({ invitationId }: Readonly<Record<string, string>>): ReturnType<MailTemplate['compose']> {
    const at = this.clock.nowSeconds();
    const invitation = usableInvitation(this.directory, Number(invitationId), at);
    if (invitation?.personal === undefined) return undefined;
    const { name } = this.directory.organization;
    const inviter = this.directory.user(invitation.by);
    return {
      to: invitation.personal.email,
      subject: `${inviter?.fullName ?? 'Somebody'} has invited you to join ${name}`,
      paragraphs: [
        'Hello,',
        `${inviter?.fullName ?? 'Somebody'} (${inviter === undefined ? '' : apiEmail(inviter)}) wants you to join them on ${name}, a team chat.`,
        'To get started, choose your name and a password.',
      ],
      action: { label: 'Complete registration', url: this.links.personal(invitation.invitationId) },
      closing: [
        ...(invitation.expiresAt === undefined
          ? []
          : [`The link works once, and expires in ${lasting(invitation.expiresAt - at)}.`]),
        `Then: ${clientAdvice(this.site.url)}`,
        'If you do not know the sender, you can ignore this mail.',
      ],
    };
  }

  async tellUnknown(mailId: string, { invitationId }: Readonly<Record<string, string>>): Promise<void> {
    const invitation = usableInvitation(this.directory, Number(invitationId), this.clock.nowSeconds());
    if (invitation?.personal === undefined || this.directory.user(invitation.by)?.isActive !== true) return;
    const content = `It is not known whether the mail that invites ${invitation.personal.email} has been sent. If it does not arrive, send the invitation again.`;
    const message = { type: 'direct', to: [invitation.by], content, client: INTERNAL_CLIENT } as const;
    await this.sender.sendOnce(this.directory.systemBot('notification'), `${mailId}:unknown`, message, BY_SERVER);
  }
}

/** Sends the mail of an invitation once more. */
@Injectable()
export class InvitationMailAgain implements FollowUp<Data<'invitation.resent.v1'>> {
  constructor(private readonly mailer: Mailer) {}

  async carryOut({ key, data: { invitationId } }: Trigger<Data<'invitation.resent.v1'>>): Promise<void> {
    await this.mailer.queue(key, TEMPLATE, { invitationId: String(invitationId) }, causedBy({ key }));
  }
}

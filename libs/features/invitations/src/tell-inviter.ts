import { Injectable } from '@nestjs/common';
import type { FollowUp, Trigger } from '#follow-ups';
import { causedBy } from '#kernel';
import { silentMention } from '#markdown';
import { INTERNAL_CLIENT, MessageSender } from '#messages';
import { Directory } from '#people';
import type { InvitationEvent } from './model/invitation.events.js';

type Accepted = Extract<InvitationEvent, { type: 'invitation.accepted.v1' }>;

/** Tells the inviter that the invitee has joined, when they wanted to be told. */
@Injectable()
export class TellInviter implements FollowUp<Accepted['data']> {
  constructor(
    private readonly directory: Directory,
    private readonly sender: MessageSender,
  ) {}

  async carryOut({ key, data: { inviterId, userId } }: Trigger<Accepted['data']>): Promise<void> {
    const newcomer = this.directory.user(userId);
    if (newcomer === undefined || this.directory.user(inviterId)?.isActive !== true) return;
    const content = `${silentMention(newcomer)} accepted your invitation to join ${this.directory.organization.name}!`;
    const message = { type: 'direct', to: [inviterId], content, client: INTERNAL_CLIENT } as const;
    await this.sender.sendOnce(this.directory.systemBot('notification'), `${key}:notice`, message, causedBy({ key }));
  }
}

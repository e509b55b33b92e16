import { Injectable } from '@nestjs/common';
import { CommandRunner } from '#event-store';
import { Clock, type Origin } from '#kernel';
import { Directory } from '#people';
import type { ReadSidePass } from '#read-store';
import { type TimerChange, type TimerHandler, timersOf } from '#timers';
import { decideExpire } from './invitations.decider.js';
import type { InvitationEvent } from './model/invitation.events.js';

/** When invitations expire. */
export const invitationTimers = timersOf<InvitationEvent>('invitation', {
  'invitations.sent.v1': ({ data: { invitations, expiresAt } }) =>
    invitations.map(({ invitationId }) => timer(invitationId, expiresAt)),
  'invitation-link.created.v1': ({ data: { invitationId, expiresAt } }) => [timer(invitationId, expiresAt)],
  'invitations.revoked.v1': ({ data: { invitationIds } }) => invitationIds.map((id) => timer(id)),
  'invitation.expired.v1': ({ data: { invitationId } }) => [timer(invitationId)],
  'invitation.accepted.v1': ({ data: { invitationId, isLink } }) => (isLink ? [] : [timer(invitationId)]),
});

function timer(invitationId: number, dueAt?: number): TimerChange {
  return { subject: String(invitationId), dueAt };
}

/** Ends invitations whose time has come (ADR 21), so that they do not fill the directory, and lists of clients are right. */
@Injectable()
export class ExpireInvitations implements TimerHandler {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async fire(subject: string, _pass: ReadSidePass, origin: Origin): Promise<void> {
    const command = {
      type: 'expire-invitation',
      invitationId: Number(subject),
      at: this.clock.nowSeconds(),
    } as const;
    await this.runner.runOn(this.directory, (directory) => ({ events: decideExpire(directory, command) }), origin);
  }
}

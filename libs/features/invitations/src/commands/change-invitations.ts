import { Command } from '@nestjs/cqrs';
import { command, inOrganizationWith } from '#feature';
import { type OmitEach, type Refusal, unreachable } from '#kernel';
import type { Directory } from '#people';
import type { User } from '#users/model';
import type {
  CreateInvitationLink,
  ResendInvitation,
  RevokeInvitation,
  SendInvitations,
} from '../invitations.commands.js';
import { decideLink, decideResend, decideRevoke, decideSend } from '../invitations.decider.js';
import type { InvitationEvent } from '../model/invitation.events.js';

type Change = SendInvitations | CreateInvitationLink | RevokeInvitation | ResendInvitation;

/** Makes or changes invitations. Resolves to what happened, when clients know. */
export class ChangeInvitationsCommand extends Command<readonly InvitationEvent[]> {
  constructor(
    readonly actor: User,
    readonly asked: OmitEach<Change, 'at'>,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST; INVITATION_FAILED also when some people were invited */
export const changeInvitations = command(ChangeInvitationsCommand, {}, ({ asked }) =>
  inOrganizationWith((directory, at) => decide(directory, { ...asked, at })).answering(({ events, failure }) => {
    if (failure !== undefined) throw failure;
    return events;
  }),
);

interface Decision {
  readonly events: readonly InvitationEvent[];
  readonly failure?: Refusal | undefined;
}

function decide(directory: Directory, command: Change): Decision {
  switch (command.type) {
    case 'send-invitations':
      return decideSend(directory, command);
    case 'create-invitation-link':
      return { events: decideLink(directory, command) };
    case 'revoke-invitation':
      return { events: decideRevoke(directory, command) };
    case 'resend-invitation':
      return { events: decideResend(directory, command) };
    default:
      return unreachable(command);
  }
}

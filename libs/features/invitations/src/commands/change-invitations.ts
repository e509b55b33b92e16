import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock, type Refusal, unreachable } from '#kernel';
import { Directory } from '#organization';
import type {
  CreateInvitationLink,
  ResendInvitation,
  RevokeInvitation,
  SendInvitations,
} from '../invitations.commands.js';
import { decideLink, decideResend, decideRevoke, decideSend } from '../invitations.decider.js';
import type { InvitationEvent } from '../model/invitation.events.js';

type Change = SendInvitations | CreateInvitationLink | RevokeInvitation | ResendInvitation;
type WithoutTime<Timed> = Timed extends unknown ? Omit<Timed, 'at'> : never;

/** Makes or changes invitations. Resolves to what happened, when clients know. */
export class ChangeInvitationsCommand extends Command<readonly InvitationEvent[]> {
  constructor(readonly asked: WithoutTime<Change>) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST; INVITATION_FAILED also when some people were invited */
@CommandHandler(ChangeInvitationsCommand)
export class ChangeInvitationsHandler implements ICommandHandler<ChangeInvitationsCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
    private readonly followUps: FollowUps,
  ) {}

  async execute({ asked }: ChangeInvitationsCommand): Promise<readonly InvitationEvent[]> {
    const command = { ...asked, at: this.clock.nowSeconds() };
    const { events, appended, failure } = await this.runner.runOn(this.directory, (directory) =>
      decide(directory, command),
    );
    await this.followUps.carryOut(streams.organization, appended, events);
    if (failure !== undefined) throw failure;
    return events;
  }
}

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

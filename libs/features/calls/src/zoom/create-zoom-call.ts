import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { ZoomAccounts } from './zoom-accounts.js';

/** Creates a meeting with the actor's account at Zoom; resolves to its link. */
export class CreateZoomCallCommand extends Command<string> {
  constructor(
    readonly actor: User,
    /** With video; otherwise voices alone. */
    readonly isVideoCall: boolean,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST, INVALID_ZOOM_TOKEN */
@CommandHandler(CreateZoomCallCommand)
export class CreateZoomCallHandler implements ICommandHandler<CreateZoomCallCommand> {
  constructor(private readonly accounts: ZoomAccounts) {}

  execute({ actor, isVideoCall }: CreateZoomCallCommand): Promise<string> {
    const { zoom } = this.accounts;
    return this.accounts.use(actor.userId, (tokens) => zoom.createMeeting(tokens, isVideoCall));
  }
}

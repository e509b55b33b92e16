import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '#kernel';
import type { User } from '#organization';
import type { ZoomSignIn } from './zoom.js';
import { ZoomAccounts } from './zoom-accounts.js';

/** Connects the account at Zoom to which the actor has signed in there. */
export class ConnectZoomCommand extends Command<void> {
  constructor(
    readonly actor: User,
    /** The address to which Zoom has sent the browser back, with its query. */
    readonly back: string,
    readonly signIn: ZoomSignIn,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST */
@CommandHandler(ConnectZoomCommand)
export class ConnectZoomHandler implements ICommandHandler<ConnectZoomCommand> {
  constructor(
    private readonly accounts: ZoomAccounts,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, back, signIn }: ConnectZoomCommand): Promise<void> {
    const tokens = await this.accounts.zoom.tokensFor(back, signIn, this.clock.nowSeconds());
    await this.accounts.connect(actor.userId, tokens);
  }
}

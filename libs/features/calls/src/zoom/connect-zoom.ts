import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { Clock, originFrom } from '#kernel';
import type { User } from '#users/model';
import type { ZoomSignIn } from './zoom.js';
import { ZoomAccounts } from './zoom-accounts.js';

/** Connects the account at Zoom to which the actor has signed in there. @throws Refusal BAD_REQUEST */
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

export const connectZoom = command(
  ConnectZoomCommand,
  { accounts: ZoomAccounts, clock: Clock },
  async ({ actor, back, signIn }, { accounts, clock }) => {
    const tokens = await accounts.zoom.tokensFor(back, signIn, clock.nowSeconds());
    await accounts.connect(actor.userId, tokens, originFrom(actor));
  },
);

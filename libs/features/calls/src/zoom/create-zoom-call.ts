import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { originFrom } from '#kernel';
import type { User } from '#users/model';
import { ZoomAccounts } from './zoom-accounts.js';

/** Creates a meeting with the actor's account at Zoom; resolves to its link. @throws Refusal BAD_REQUEST, INVALID_ZOOM_TOKEN */
export class CreateZoomCallCommand extends Command<string> {
  constructor(
    readonly actor: User,
    /** With video; otherwise voices alone. */
    readonly isVideoCall: boolean,
  ) {
    super();
  }
}

export const createZoomCall = command(
  CreateZoomCallCommand,
  { accounts: ZoomAccounts },
  ({ actor, isVideoCall }, { accounts }) => {
    const { zoom } = accounts;
    return accounts.use(actor.userId, (tokens) => zoom.createMeeting(tokens, isVideoCall), originFrom(actor));
  },
);

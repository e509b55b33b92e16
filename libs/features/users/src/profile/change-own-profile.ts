import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import { badRequest } from '#kernel';
import type { User } from '../model/user.js';
import { presentActor } from '../accounts/accounts.access.js';
import { type AskedProfileValue, decideProfile } from './profile-data.decider.js';
import { ProfileRendering } from './profile-rendering.js';

/** Changes the actor's own profile (endpoints.md §7). */
export class ChangeOwnProfileCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly values: readonly AskedProfileValue[],
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST */
export const changeOwnProfile = command(
  ChangeOwnProfileCommand,
  { rendering: ProfileRendering },
  ({ actor, values }, { rendering }) => {
    if (actor.botType !== null) throw badRequest('This endpoint does not accept bot requests.');
    const change = { values, render: rendering.by(actor) };
    return inOrganization((directory, at) => {
      const user = presentActor(directory, actor.userId);
      return decideProfile(directory, user, user, change, at);
    });
  },
);

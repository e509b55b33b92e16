import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import type { User } from '#users/model';
import { decideDeactivation } from '../deactivation.decider.js';

/** Ends all access to the organization. Resolves when it has ended. @throws Refusal as `decideDeactivation` */
export class DeactivateOrganizationCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly deletionDelayDays: number | null,
  ) {
    super();
  }
}

export const deactivateOrganization = command(DeactivateOrganizationCommand, {}, ({ actor, deletionDelayDays }) => {
  const asked = { type: 'deactivate-organization', actorId: actor.userId, deletionDelayDays } as const;
  return inOrganization((directory, at) => decideDeactivation(directory, { ...asked, at }));
});

import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import type { User } from '#users/model';
import { decideChangeSubscriptions, type WantedSetting } from './change-subscriptions.decider.js';

/** Changes settings of the actor's subscriptions. Resolves when clients are told. */
export class ChangeSubscriptionsCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly wanted: readonly WantedSetting[],
  ) {
    super();
  }
}

export const changeSubscriptions = command(ChangeSubscriptionsCommand, {}, ({ actor, wanted }) =>
  inOrganization((directory, at) =>
    decideChangeSubscriptions(directory, { type: 'change-subscriptions', actor, wanted, at }),
  ),
);

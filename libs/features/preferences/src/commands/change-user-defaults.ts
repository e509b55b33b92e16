import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import type { User } from '#users/model';
import { type ChangeUserDefaults, decideUserDefaults } from '../user-defaults.decider.js';

/** Changes the personal settings that new users begin with. @throws Refusal as `decideUserDefaults` */
export class ChangeUserDefaultsCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly settings: ChangeUserDefaults['settings'],
  ) {
    super();
  }
}

export const changeUserDefaults = command(ChangeUserDefaultsCommand, {}, ({ actor, settings }) =>
  inOrganization((directory, at) =>
    decideUserDefaults(directory, { type: 'change-user-defaults', actor, settings, at }),
  ),
);

import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import type { User } from '#users/model';
import type { DefaultGroupRequest } from './default-groups.commands.js';
import { decideDefaultGroups } from './default-groups.decider.js';

/** Changes the organization's default channel groups. Resolves when clients are told. */
export class ChangeDefaultGroupsCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly asked: DefaultGroupRequest,
  ) {
    super();
  }
}

export const changeDefaultGroups = command(ChangeDefaultGroupsCommand, {}, ({ actor, asked }) =>
  inOrganization((directory, at) => decideDefaultGroups(directory, { ...asked, actor, at })),
);

import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import type { OmitEach } from '#kernel';
import type { User } from '#users/model';
import type { GroupEvent } from '../model/group.events.js';
import type { GroupCommand } from '../groups.commands.js';
import { decideGroup } from '../groups.decider.js';

/** Creates or changes a user group; returns the recorded events. */
export class RunGroupCommand extends Command<readonly GroupEvent[]> {
  constructor(
    readonly actor: User,
    readonly asked: OmitEach<GroupCommand, 'at'>,
  ) {
    super();
  }
}

export const runGroupCommand = command(RunGroupCommand, {}, ({ asked }) =>
  inOrganization((directory, at) => decideGroup(directory, { ...asked, at })).answering(({ events }) => events),
);

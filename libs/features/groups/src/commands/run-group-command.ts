import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import type { GroupEvent } from '#organization';
import type { GroupCommand } from '../groups.commands.js';
import { decideGroup } from '../groups.decider.js';

type WithoutTime<Timed> = Timed extends unknown ? Omit<Timed, 'at'> : never;

/** Creates or changes a user group; returns the recorded events. */
export class RunGroupCommand extends Command<readonly GroupEvent[]> {
  constructor(readonly asked: WithoutTime<GroupCommand>) {
    super();
  }
}

export const runGroupCommand = command(RunGroupCommand, {}, ({ asked }) =>
  inOrganization((directory, at) => decideGroup(directory, { ...asked, at })).answering(({ events }) => events),
);

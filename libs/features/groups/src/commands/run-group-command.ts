import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock } from '#kernel';
import { Directory, type GroupEvent } from '#organization';
import type { GroupCommand } from '../groups.commands.js';
import { decideGroup } from '../groups.decider.js';

type WithoutTime<Timed> = Timed extends unknown ? Omit<Timed, 'at'> : never;

/** Creates or changes a user group; returns the recorded events. */
export class RunGroupCommand extends Command<readonly GroupEvent[]> {
  constructor(readonly asked: WithoutTime<GroupCommand>) {
    super();
  }
}

@CommandHandler(RunGroupCommand)
export class RunGroupCommandHandler implements ICommandHandler<RunGroupCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly followUps: FollowUps,
    private readonly clock: Clock,
  ) {}

  async execute({ asked }: RunGroupCommand): Promise<readonly GroupEvent[]> {
    const command = { ...asked, at: this.clock.nowSeconds() };
    const { events, appended } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideGroup(directory, command),
    }));
    await this.followUps.carryOut(streams.organization, appended, events);
    return events;
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type OrganizationEvent } from '#organization';
import type { BotCommand } from './bots.commands.js';
import { decideBot } from './bots.decider.js';

type WithoutTime<Timed> = Timed extends unknown ? Omit<Timed, 'at'> : never;

/** Creates, changes or deactivates a bot, and resolves to what was recorded. @throws Refusal as `decideBot` */
export class RunBotCommand extends Command<readonly OrganizationEvent[]> {
  constructor(readonly asked: WithoutTime<BotCommand>) {
    super();
  }
}

@CommandHandler(RunBotCommand)
export class RunBotCommandHandler implements ICommandHandler<RunBotCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
  ) {}

  async execute({ asked }: RunBotCommand): Promise<readonly OrganizationEvent[]> {
    const command = { ...asked, at: this.clock.nowSeconds() };
    const { events } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideBot(directory, command),
    }));
    return events;
  }
}

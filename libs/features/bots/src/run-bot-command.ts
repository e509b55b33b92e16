import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock } from '#kernel';
import { type Avatar, Directory } from '#organization';
import { AvatarImages } from '#pictures';
import type { AccountEvent } from '#users';
import type { BotCommand } from './bots.commands.js';
import { decideBot } from './bots.decider.js';

type WithoutTime<Timed> = Timed extends unknown ? Omit<Timed, 'at'> : never;

/** Creates, changes or deactivates a bot, and resolves to what was recorded. @throws Refusal as `decideBot`, BAD_IMAGE, SERVER_NOT_READY */
export class RunBotCommand extends Command<readonly AccountEvent[]> {
  constructor(
    readonly asked: WithoutTime<BotCommand>,
    /** An image file: the bot's new picture. */
    readonly original?: Buffer,
  ) {
    super();
  }
}

@CommandHandler(RunBotCommand)
export class RunBotCommandHandler implements ICommandHandler<RunBotCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
    private readonly avatars: AvatarImages,
    private readonly followUps: FollowUps,
  ) {}

  async execute({ asked, original }: RunBotCommand): Promise<readonly AccountEvent[]> {
    const command: BotCommand = { ...asked, ...(await this.#avatar(asked, original)), at: this.clock.nowSeconds() };
    const { events, appended } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideBot(directory, command),
    }));
    await this.followUps.carryOut(streams.organization, appended, events);
    return events;
  }

  async #avatar(asked: WithoutTime<BotCommand>, original: Buffer | undefined): Promise<{ readonly avatar?: Avatar }> {
    if (original === undefined) return {};
    // What may not be done is refused before an image is drawn.
    decideBot(this.directory, { ...asked, at: this.clock.nowSeconds() });
    return { avatar: await this.avatars.store(original) };
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import type { User } from '#organization';
import { MessageCommands } from '../existing/message-commands.js';
import { AutoFollow } from '../send/auto-follow.js';
import { submessageDecider } from './submessage.decider.js';

/** Adds a submessage to a widget, such as a vote in a poll. */
export class AddSubmessageCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly messageId: number,
    readonly msgType: string,
    readonly content: string,
  ) {
    super();
  }
}

@CommandHandler(AddSubmessageCommand)
export class AddSubmessageHandler implements ICommandHandler<AddSubmessageCommand> {
  constructor(
    private readonly commands: MessageCommands,
    private readonly runner: CommandRunner,
    private readonly autoFollow: AutoFollow,
  ) {}

  execute({ actor, messageId, msgType, content }: AddSubmessageCommand): Promise<void> {
    return this.commands.moveLock.shared(async () => {
      const message = await this.commands.load(actor, messageId);
      const command = { ...this.commands.context(actor, message), msgType, content };
      await this.runner.run(submessageDecider, streams.message(messageId), command);
      await this.autoFollow.tookPart(actor, message.place);
    });
  }
}

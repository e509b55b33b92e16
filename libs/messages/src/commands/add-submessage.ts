import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandPath, streams } from '#event-store';
import type { User } from '#organization';
import { MessageDesk } from '../message-desk.js';
import { Participation } from '../participation.js';
import { submessageDecider } from '../submessage.decider.js';

/** Adds to what a widget shows, such as a vote to a poll. */
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
    private readonly desk: MessageDesk,
    private readonly path: CommandPath,
    private readonly participation: Participation,
  ) {}

  execute({ actor, messageId, msgType, content }: AddSubmessageCommand): Promise<void> {
    return this.desk.turns.change(async () => {
      const message = await this.desk.open(actor, messageId);
      const command = { ...this.desk.envelope(actor, message), msgType, content };
      await this.path.run(submessageDecider, streams.message(messageId), command);
      await this.participation.tookPart(actor, message.place);
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { MessageDesk } from '../message-desk.js';
import { resolveEmoji, type AskedEmoji } from '../reaction-emoji.js';

/** Adds the actor's reaction to a message. */
export class AddReactionCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly messageId: number,
    readonly asked: AskedEmoji,
  ) {
    super();
  }
}

@CommandHandler(AddReactionCommand)
export class AddReactionHandler implements ICommandHandler<AddReactionCommand> {
  constructor(private readonly desk: MessageDesk) {}

  execute({ actor, messageId, asked }: AddReactionCommand): Promise<void> {
    return this.desk.turns.change(async () => {
      const message = await this.desk.open(actor, messageId);
      await this.desk.run({ ...this.desk.envelope(actor, message), type: 'react', asked: resolveEmoji(asked) });
    });
  }
}

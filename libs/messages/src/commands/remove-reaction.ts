import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { MessageDesk } from '../message-desk.js';
import { resolveEmoji, type AskedEmoji } from '../reaction-emoji.js';

/** Takes back the actor’s reaction to a message. */
export class RemoveReactionCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly messageId: number,
    readonly asked: AskedEmoji,
  ) {
    super();
  }
}

@CommandHandler(RemoveReactionCommand)
export class RemoveReactionHandler implements ICommandHandler<RemoveReactionCommand> {
  constructor(private readonly desk: MessageDesk) {}

  execute({ actor, messageId, asked }: RemoveReactionCommand): Promise<void> {
    return this.desk.turns.change(async () => {
      const message = await this.desk.open(actor, messageId);
      await this.desk.run({ ...this.desk.envelope(actor, message), type: 'unreact', asked: resolveEmoji(asked) });
    });
  }
}

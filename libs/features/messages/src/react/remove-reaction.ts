import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory, type User } from '#organization';
import { customEmojiPart } from '#pictures/model';
import { MessageCommands } from '../existing/message-commands.js';
import { reactionRemovalDecider } from './reaction.decider.js';
import { resolveEmoji, type AskedEmoji } from '../model/reaction-emoji.js';

/** Removes the actor's reaction from a message. */
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
  constructor(
    private readonly commands: MessageCommands,
    private readonly directory: Directory,
  ) {}

  execute({ actor, messageId, asked }: RemoveReactionCommand): Promise<void> {
    return this.commands.moveLock.shared(async () => {
      const message = await this.commands.load(actor, messageId);
      await this.commands.run(reactionRemovalDecider, {
        ...this.commands.context(actor, message),
        asked: resolveEmoji(asked, this.directory.of(customEmojiPart)),
      });
    });
  }
}

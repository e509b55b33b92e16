import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory, type User } from '#organization';
import { customEmojiPart } from '#pictures/model';
import { MessageCommands } from '../existing/message-commands.js';
import { AutoFollow } from '../send/auto-follow.js';
import { OwnHistory } from './own-history.js';
import { reactionDecider } from './reaction.decider.js';
import { resolveEmoji, type AskedEmoji } from '../model/reaction-emoji.js';

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
  constructor(
    private readonly commands: MessageCommands,
    private readonly history: OwnHistory,
    private readonly autoFollow: AutoFollow,
    private readonly directory: Directory,
  ) {}

  execute({ actor, messageId, asked }: AddReactionCommand): Promise<void> {
    return this.commands.moveLock.shared(async () => {
      const message = await this.commands.load(actor, messageId);
      const isForeign = !(await this.history.has(actor.userId, { id: messageId, doc: message.doc }));
      await this.commands.run(reactionDecider, {
        ...this.commands.context(actor, message),
        asked: resolveEmoji(asked, this.directory.of(customEmojiPart)),
        isForeign,
      });
      await this.autoFollow.tookPart(actor, message.place);
    });
  }
}

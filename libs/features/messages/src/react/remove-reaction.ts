import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { originFrom } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
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

export const removeReaction = command(
  RemoveReactionCommand,
  { commands: MessageCommands, directory: Directory },
  ({ actor, messageId, asked }, { commands, directory }) =>
    commands.moveLock.shared(async () => {
      const message = await commands.load(actor, messageId);
      await commands.run(
        reactionRemovalDecider,
        {
          ...commands.context(actor, message),
          asked: resolveEmoji(asked, directory.of(customEmojiPart)),
        },
        originFrom(actor),
      );
    }),
);

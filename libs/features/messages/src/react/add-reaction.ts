import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { originFrom } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
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

export const addReaction = command(
  AddReactionCommand,
  { commands: MessageCommands, history: OwnHistory, autoFollow: AutoFollow, directory: Directory },
  ({ actor, messageId, asked }, { commands, history, autoFollow, directory }) =>
    commands.moveLock.shared(async () => {
      const message = await commands.load(actor, messageId);
      const isForeign = !(await history.has(actor.userId, { id: messageId, doc: message.doc }));
      await commands.run(
        reactionDecider,
        {
          ...commands.context(actor, message),
          asked: resolveEmoji(asked, directory.of(customEmojiPart)),
          isForeign,
        },
        originFrom(actor),
      );
      await autoFollow.tookPart(actor, message.place);
    }),
);

import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { originFrom } from '#kernel';
import type { User } from '#users/model';
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

export const addSubmessage = command(
  AddSubmessageCommand,
  { commands: MessageCommands, autoFollow: AutoFollow },
  ({ actor, messageId, msgType, content }, { commands, autoFollow }) =>
    commands.moveLock.shared(async () => {
      const message = await commands.load(actor, messageId);
      const command = { ...commands.context(actor, message), msgType, content };
      await commands.run(submessageDecider, command, originFrom(actor));
      await autoFollow.tookPart(actor, message.place);
    }),
);

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { MessageDesk } from '../message-desk.js';
import { Participation } from '../participation.js';
import { isOwn } from '../queries/message-flags.js';
import { SeenMessages } from '../queries/seen-messages.js';
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
  constructor(
    private readonly desk: MessageDesk,
    private readonly seen: SeenMessages,
    private readonly participation: Participation,
  ) {}

  execute({ actor, messageId, asked }: AddReactionCommand): Promise<void> {
    return this.desk.turns.change(async () => {
      const message = await this.desk.open(actor, messageId);
      const [seen] = await this.seen.unchecked(actor.userId, [{ id: messageId, doc: message.doc }]);
      const isForeign = seen !== undefined && !isOwn(seen);
      await this.desk.run({
        ...this.desk.envelope(actor, message),
        type: 'react',
        asked: resolveEmoji(asked),
        isForeign,
      });
      await this.participation.tookPart(actor, message.place);
    });
  }
}

import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory, type User } from '#organization';
import { MessageDesk, type OpenMessage } from '../message-desk.js';
import { messageSettings } from '../message-settings.js';

/** Deletes a message for everybody. */
export class DeleteMessageCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly messageId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteMessageCommand)
export class DeleteMessageHandler implements ICommandHandler<DeleteMessageCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly desk: MessageDesk,
  ) {}

  execute(command: DeleteMessageCommand): Promise<void> {
    return this.desk.turns.change(() => this.#delete(command));
  }

  async #delete({ actor, messageId }: DeleteMessageCommand): Promise<void> {
    const message = await this.desk.open(actor, messageId);
    await this.desk.run({
      ...this.desk.envelope(actor, message),
      type: 'delete',
      mayDeleteAny: this.#mayDelete(actor, message, 'any'),
      mayDeleteOwn: this.#mayDelete(actor, message, 'own'),
      isOwn: this.#isOwn(actor, message),
      arrival: message.doc.arrivals?.at(-1)?.position,
      settings: messageSettings(this.directory),
    });
  }

  #mayDelete(actor: User, { channel }: OpenMessage, whose: 'any' | 'own'): boolean {
    const { canDeleteAnyMessageGroup, canDeleteOwnMessageGroup } = messageSettings(this.directory);
    if (this.directory.holds(actor, whose === 'any' ? canDeleteAnyMessageGroup : canDeleteOwnMessageGroup)) return true;
    if (channel === undefined) return false;
    return this.directory.holds(actor, channel.permissions[`can_delete_${whose}_message_group`]);
  }

  #isOwn(actor: User, { doc }: OpenMessage): boolean {
    return doc.senderId === actor.userId || this.directory.user(doc.senderId)?.botOwnerId === actor.userId;
  }
}

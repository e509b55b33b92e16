import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory, type User } from '#organization';
import { mayDelete } from '../deletion.access.js';
import { MessageDesk, type OpenMessage } from '../message-desk.js';
import { messageSettings } from '../message-settings.js';
import { oldestLeft } from '../oldest-left.js';
import { MessagesReader } from '../queries/messages.reader.js';

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
    private readonly reader: MessagesReader,
  ) {}

  /** Which message is the oldest after a channel's oldest one can only be said while nothing else leaves the channel. */
  async execute({ actor, messageId }: DeleteMessageCommand): Promise<void> {
    const { turns } = this.desk;
    const isDone = await turns.change(async () => {
      const message = await this.desk.open(actor, messageId);
      if (message.channel?.firstMessageId === messageId) return false;
      await this.#delete(actor, message);
      return true;
    });
    if (!isDone) await turns.move(async () => this.#delete(actor, await this.desk.open(actor, messageId)));
  }

  async #delete(actor: User, message: OpenMessage): Promise<void> {
    const { channel, doc, messageId } = message;
    await this.desk.run({
      ...this.desk.envelope(actor, message),
      type: 'delete',
      mayDeleteAny: mayDelete(this.directory, actor, channel, 'any'),
      mayDeleteOwn: mayDelete(this.directory, actor, channel, 'own'),
      isOwn: this.#isOwn(actor, message),
      arrival: doc.arrivals?.at(-1)?.position,
      firstLeft: channel === undefined ? undefined : await oldestLeft(this.reader, channel, [messageId]),
      settings: messageSettings(this.directory),
    });
  }

  #isOwn(actor: User, { doc }: OpenMessage): boolean {
    return doc.senderId === actor.userId || this.directory.user(doc.senderId)?.botOwnerId === actor.userId;
  }
}

import { Command } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import { command } from '#feature';
import { Directory, type User } from '#organization';
import { mayDelete } from './deletion.access.js';
import { deletionDecider } from './deletion.decider.js';
import { MessageCommands, type LoadedMessage } from '../existing/message-commands.js';
import { messageSettings } from '../model/message-settings.js';
import { oldestLeft } from '../existing/oldest-left.js';
import { MessagesReader } from '../existing/messages.reader.js';

/** Deletes a message for all users. */
export class DeleteMessageCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly messageId: number,
  ) {
    super();
  }
}

/** Deletes messages, each under the lock that it needs. */
@Injectable()
export class MessageDeletion {
  constructor(
    private readonly directory: Directory,
    private readonly commands: MessageCommands,
    private readonly reader: MessagesReader,
  ) {}

  /** The next oldest message of a channel can only be determined while no other message leaves the channel. */
  async delete({ actor, messageId }: DeleteMessageCommand): Promise<void> {
    const { moveLock } = this.commands;
    const isDone = await moveLock.shared(async () => {
      const message = await this.commands.load(actor, messageId);
      if (message.channel?.firstMessageId === messageId) return false;
      await this.#delete(actor, message);
      return true;
    });
    if (!isDone) await moveLock.exclusive(async () => this.#delete(actor, await this.commands.load(actor, messageId)));
  }

  async #delete(actor: User, message: LoadedMessage): Promise<void> {
    const { channel, doc, messageId } = message;
    await this.commands.run(deletionDecider, {
      ...this.commands.context(actor, message),
      mayDeleteAny: mayDelete(this.directory, actor, channel, 'any'),
      mayDeleteOwn: mayDelete(this.directory, actor, channel, 'own'),
      isOwn: this.#isOwn(actor, message),
      arrival: doc.arrivals?.at(-1)?.position,
      firstLeft: channel === undefined ? undefined : await oldestLeft(this.reader, channel, [messageId]),
      settings: messageSettings(this.directory),
    });
  }

  #isOwn(actor: User, { doc }: LoadedMessage): boolean {
    return doc.senderId === actor.userId || this.directory.user(doc.senderId)?.botOwnerId === actor.userId;
  }
}

export const deleteMessage = command(DeleteMessageCommand, { deletion: MessageDeletion }, (asked, { deletion }) =>
  deletion.delete(asked),
);

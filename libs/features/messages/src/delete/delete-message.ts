import { Command } from '@nestjs/cqrs';
import { command, type Given } from '#feature';
import { originFrom } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { mayDelete } from './deletion.access.js';
import { deletionDecider } from './deletion.decider.js';
import { MessageCommands, type LoadedMessage } from '../existing/message-commands.js';
import { mentionedOutside } from '../model/mentioned-outside.js';
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

const NEEDS = { directory: Directory, commands: MessageCommands, reader: MessagesReader };

/** The next oldest message of a channel can only be determined while no other message leaves the channel. */
export const deleteMessage = command(DeleteMessageCommand, NEEDS, async ({ actor, messageId }, given) => {
  const { commands } = given;
  const isDone = await commands.moveLock.shared(async () => {
    const message = await commands.load(actor, messageId);
    if (message.channel?.firstMessageId === messageId) return false;
    await deleteLoaded(actor, message, given);
    return true;
  });
  if (!isDone)
    await commands.moveLock.exclusive(async () => deleteLoaded(actor, await commands.load(actor, messageId), given));
});

async function deleteLoaded(
  actor: User,
  message: LoadedMessage,
  { directory, commands, reader }: Given<typeof NEEDS>,
): Promise<void> {
  const { channel, doc, messageId } = message;
  await commands.run(
    deletionDecider,
    {
      ...commands.context(actor, message),
      mayDeleteAny: mayDelete(directory, actor, channel, 'any'),
      mayDeleteOwn: mayDelete(directory, actor, channel, 'own'),
      isOwn: doc.senderId === actor.userId || directory.user(doc.senderId)?.botOwnerId === actor.userId,
      arrival: doc.arrivals?.at(-1)?.position,
      mentioned: mentionedOutside(directory, [{ id: messageId, doc }]),
      firstLeft: channel === undefined ? undefined : await oldestLeft(reader, channel, [messageId]),
      settings: messageSettings(directory),
    },
    originFrom(actor),
  );
}

import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { EphemeralEvents } from '#feed';
import { badRequest } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { preferencesPart } from '#preferences/model';
import type { Addressee } from '../send/addressee.js';
import { located } from '../model/message.access.js';
import { MessageCommands } from '../existing/message-commands.js';
import { SendContext } from '../send/send-context.js';
import { decidePlace } from '../send/send.decider.js';
import { editTypingEntry, typingEntry, type TypingOp } from './typing.client-events.js';

/** Tells the future recipients of a message that the sender started or stopped typing it. */
export class SetTypingCommand extends Command<void> {
  constructor(
    readonly sender: User,
    readonly op: TypingOp,
    readonly addressee: Addressee,
    /** For a channel message, in any spelling. */
    readonly topic: string,
  ) {
    super();
  }
}

/** Tells the readers of a message that its sender started or stopped editing it. */
export class SetEditTypingCommand extends Command<void> {
  constructor(
    readonly sender: User,
    readonly op: TypingOp,
    readonly messageId: number,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST when the sender may not send there, or does not share typing (endpoints.md §5) */
export const setTyping = command(
  SetTypingCommand,
  { directory: Directory, sendContext: SendContext, announcer: EphemeralEvents },
  async ({ sender, op, addressee, topic }, { directory, sendContext, announcer }) => {
    const { position } = directory;
    assertTells(directory, sender, addressee.kind === 'channel');
    const destination = await sendContext.destination(sender, addressee, topic);
    if (destination.to === 'channel' && destination.channel?.isKnown !== true) throw badRequest('Invalid channel ID');
    const place = decidePlace(sender.userId, destination);
    const entry = typingEntry(directory, { op, senderId: sender.userId, place });
    if (entry !== undefined) await announcer.announce(entry, position);
  },
);

/** @throws Refusal BAD_REQUEST for messages of others, and when the sender does not share typing */
export const setEditTyping = command(
  SetEditTypingCommand,
  { directory: Directory, commands: MessageCommands, announcer: EphemeralEvents },
  async ({ sender, op, messageId }, { directory, commands, announcer }) => {
    const { position } = directory;
    const { doc, place } = await commands.load(sender, messageId);
    if (doc.senderId !== sender.userId) throw badRequest("You don't have permission to edit this message");
    assertTells(directory, sender, 'channelId' in place);
    // Only its last arrival decides who can read it.
    const message = located(messageId, { ...doc, arrivals: doc.arrivals?.slice(-1) });
    const entry = editTypingEntry(directory, { op, senderId: sender.userId, place, message });
    if (entry !== undefined) await announcer.announce(entry, position);
  },
);

function assertTells(directory: Directory, { userId }: User, isInChannel: boolean): void {
  const name = isInChannel ? 'send_stream_typing_notifications' : 'send_private_typing_notifications';
  if (directory.of(preferencesPart).setting(userId, name)) return;
  throw badRequest(`User has disabled typing notifications for ${isInChannel ? 'channel' : 'direct'} messages`);
}

import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import type { User } from '#users/model';
import { MessageSender, type SendRequest, type SentMessage } from './message-sender.js';

/** Sends a message. */
export class SendMessageCommand extends Command<SentMessage> {
  constructor(
    readonly sender: User,
    readonly request: SendRequest,
  ) {
    super();
  }
}

export const sendMessage = command(
  SendMessageCommand,
  { messages: MessageSender },
  ({ sender, request }, { messages }) => messages.send(sender, request),
);

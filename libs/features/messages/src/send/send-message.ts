import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
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

@CommandHandler(SendMessageCommand)
export class SendMessageHandler implements ICommandHandler<SendMessageCommand> {
  constructor(private readonly messages: MessageSender) {}

  execute({ sender, request }: SendMessageCommand): Promise<SentMessage> {
    return this.messages.send(sender, request);
  }
}

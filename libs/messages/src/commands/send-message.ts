import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { MessageSender, type SendRequest } from '../message-sender.js';

/** Sends a message. Gives its ID. */
export class SendMessageCommand extends Command<number> {
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

  execute({ sender, request }: SendMessageCommand): Promise<number> {
    return this.messages.send(sender, request);
  }
}

import { Controller, Delete } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { DeleteMessageCommand } from './delete-message.js';

/** Deletes messages (endpoints.md §4, DELETE /messages/{message_id}). */
@ApiTags('messages')
@Controller('api/v1/messages')
export class DeleteMessageController {
  constructor(private readonly commands: CommandBus) {}

  @Delete(':message_id')
  @Answers()
  @Summary('Delete a message', "For those who may by the organization's and the channel's permissions.")
  async delete(@Caller() actor: User, @PathId('message_id') messageId: number): Promise<void> {
    await this.commands.execute(new DeleteMessageCommand(actor, messageId));
  }
}

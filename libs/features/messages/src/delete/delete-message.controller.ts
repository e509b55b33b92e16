import { Controller, Delete } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags, Caller, PathId } from '#http';
import type { User } from '#organization';
import { DeleteMessageCommand } from './delete-message.js';

/** Deletes messages (endpoints.md §4, DELETE /messages/{message_id}). */
@ApiTags('messages')
@Controller('api/v1/messages')
export class DeleteMessageController {
  constructor(private readonly commands: CommandBus) {}

  @Delete(':message_id')
  async delete(@Caller() actor: User, @PathId('message_id') messageId: number): Promise<void> {
    await this.commands.execute(new DeleteMessageCommand(actor, messageId));
  }
}

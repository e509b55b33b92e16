import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { MuteUserCommand } from '../commands/mute-user.js';

/** Muting users (endpoints.md §7). */
@ApiTags('preferences')
@Controller('api/v1/users/me/muted_users')
export class MutedUsersController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':muted_user_id')
  @Answers()
  @Summary('Mute a user', 'Their messages become read for the caller.')
  async mute(@Caller() actor: User, @PathId('muted_user_id') mutedUserId: number): Promise<void> {
    await this.commands.execute(new MuteUserCommand(actor, mutedUserId, 'add'));
  }

  @Delete(':muted_user_id')
  @Answers()
  @Summary('Unmute a user', 'Their later messages are unread again.')
  async unmute(@Caller() actor: User, @PathId('muted_user_id') mutedUserId: number): Promise<void> {
    await this.commands.execute(new MuteUserCommand(actor, mutedUserId, 'remove'));
  }
}

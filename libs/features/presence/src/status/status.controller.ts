import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { reactionTypeOf } from '#pictures/model';
import { object } from '#wire';
import { type AskedStatus, SetStatusCommand } from './set-status.js';
import { SetStatusParams } from './status.params.js';
import { Statuses } from './statuses.js';
import type { WireStatus } from './wire-status.js';
import { StatusSchema } from './wire-status.js';

/** Users' statuses (endpoints.md §7). */
@ApiTags('presence')
@Controller('api/v1/users')
export class StatusController {
  constructor(
    private readonly commands: CommandBus,
    private readonly statuses: Statuses,
  ) {}

  @Post('me/status')
  @Answers()
  @Summary("Set the caller's status", 'A text and an emoji.')
  async setOwn(@Caller() actor: User, @Params(SetStatusParams) params: SetStatusParams): Promise<void> {
    await this.commands.execute(new SetStatusCommand(actor, undefined, askedBy(params)));
  }

  @Post(':user_id/status')
  @Answers()
  @Summary('Set the status of a user', 'For administrators.')
  async set(
    @Caller() actor: User,
    @PathId('user_id') userId: number,
    @Params(SetStatusParams) params: SetStatusParams,
  ): Promise<void> {
    await this.commands.execute(new SetStatusCommand(actor, userId, askedBy(params)));
  }

  @Get(':user_id/status')
  @Answers(object({ status: StatusSchema }))
  @Summary('Show the status of a user', 'Only what is set.')
  of(@Caller() viewer: User, @PathId('user_id') userId: number): { status: WireStatus } {
    return { status: this.statuses.of(viewer, userId) };
  }
}

function askedBy({ status_text: text, away: isAway, ...params }: SetStatusParams): AskedStatus {
  const { emoji_name: name, emoji_code: code, reaction_type } = params;
  const type = reactionTypeOf(reaction_type);
  // Clients that remove the emoji may send all three parts of it empty.
  return { text, isAway, emoji: { name, code: code === '' ? undefined : code, type: type === '' ? undefined : type } };
}

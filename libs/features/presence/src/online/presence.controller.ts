import { Controller, Get, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Answers, ApiTags, Caller, Params, sendFields, Summary, WritesAnswer } from '#http';
import type { User } from '#users/model';
import { number, object, partial } from '#wire';
import { PresenceLists } from './list-presences.js';
import { OnePresence, OnePresenceSchema, type WireOnePresence } from './one-presence.js';
import { ReportPresenceParams } from './presence.params.js';
import { ReportPresenceCommand } from './report-presence.js';
import { presenceFieldSchemas, PresencesSchema } from './wire-presence.js';

const HISTORY_DAYS = 14;

/** Who is there (endpoints.md §7, rules.md §11). */
@ApiTags('presence')
@Controller('api/v1')
export class PresenceController {
  constructor(
    private readonly commands: CommandBus,
    private readonly lists: PresenceLists,
    private readonly one: OnePresence,
  ) {}

  @Post('users/me/presence')
  @WritesAnswer(object(partial(presenceFieldSchemas)))
  @Summary("Tell one's presence", "And learn of others', unless it is a ping alone.")
  async report(
    @Caller() actor: User,
    @Params(ReportPresenceParams) params: ReportPresenceParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.commands.execute(new ReportPresenceCommand(actor, params.status));
    if (params.ping_only) {
      sendFields(reply, '');
      return;
    }
    const { last_update_id: since = -1, history_limit_days: historyDays } = params;
    const format = params.slim_presence || params.last_update_id !== undefined ? 'modern' : 'legacy';
    const lastUpdateId = this.lists.lastUpdateId(since);
    const fields = this.lists.fields(actor, { format, historyDays, since });
    sendFields(reply, [...fields, `,"presence_last_update_id":${lastUpdateId}`]);
  }

  @Get('users/:user_id_or_email/presence')
  @Answers(object({ presence: OnePresenceSchema }))
  @Summary('Show the presence of a user', 'By ID or address.')
  ofOne(@Caller() viewer: User, @Param('user_id_or_email') idOrEmail: string): { presence: WireOnePresence } {
    return { presence: this.one.of(viewer, idOrEmail) };
  }

  @Get('realm/presence')
  @WritesAnswer(object({ presences: PresencesSchema, server_timestamp: number }))
  @Summary('Show the presence of all users', 'In the legacy format, by address.')
  ofAll(@Caller() viewer: User, @Res() reply: FastifyReply): void {
    sendFields(reply, this.lists.fields(viewer, { format: 'legacy', historyDays: HISTORY_DAYS, since: -1 }));
  }
}

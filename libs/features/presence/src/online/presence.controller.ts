import { Controller, Get, Param, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { ApiTags, Caller, Params, sendFields } from '#http';
import type { User } from '#organization';
import { PresenceLists } from './list-presences.js';
import { OnePresence, type WireOnePresence } from './one-presence.js';
import { ReportPresenceParams } from './presence.params.js';
import { ReportPresenceCommand } from './report-presence.js';

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
  ofOne(@Caller() viewer: User, @Param('user_id_or_email') idOrEmail: string): { presence: WireOnePresence } {
    return { presence: this.one.of(viewer, idOrEmail) };
  }

  @Get('realm/presence')
  ofAll(@Caller() viewer: User, @Res() reply: FastifyReply): void {
    sendFields(reply, this.lists.fields(viewer, { format: 'legacy', historyDays: HISTORY_DAYS, since: -1 }));
  }
}

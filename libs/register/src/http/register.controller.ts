import { Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { queueSettings } from '#feed';
import { Caller, ClientName, Params, sendFields } from '#http';
import { Directory, type User } from '#organization';
import { Registration } from '../registration.js';
import { RegisterParams } from './register.params.js';

/**
 * Registration of a client (specification, POST /register; register.md). Anonymous access does not exist: callers
 * without credentials get 401.
 */
@ApiTags('events')
@Controller('api/v1/register')
export class RegisterController {
  constructor(
    private readonly registration: Registration,
    private readonly directory: Directory,
  ) {}

  @Post()
  async register(
    @Caller() user: User,
    @ClientName() clientName: string,
    @Params(RegisterParams) params: RegisterParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const settings = queueSettings(params, clientName, user, this.directory);
    const fields = await this.registration.register(user, {
      settings,
      fetchEventTypes: params.fetch_event_types ?? settings.eventTypes,
      pronouns: params.pronouns_field_type_supported,
      presenceHistoryDays: params.presence_history_limit_days,
      lifespanSeconds: params.queue_lifespan_secs,
    });
    sendFields(reply, fields);
  }
}

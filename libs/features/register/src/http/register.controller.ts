import { Controller, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  ApiTags,
  Caller,
  ClientName,
  OptionalAuth,
  Params,
  RecordsNothing,
  sendLateFields,
  SessionId,
  Summary,
  WritesAnswer,
} from '#http';
import { badRequest } from '#kernel';
import { callerOrSpectator, Directory } from '#people';
import { isSpectator, type User } from '#users/model';
import { component } from '#wire';
import { Registration } from '../registration.js';
import { RegisterParams } from './register.params.js';
import { queueSettings } from './queue.params.js';

/** Registration of a client (register.md). */
@ApiTags('events')
@Controller('api/v1/register')
export class RegisterController {
  constructor(
    private readonly registration: Registration,
    private readonly directory: Directory,
  ) {}

  @Post()
  @WritesAnswer(component('RegisterState'))
  @Summary(
    'Register an event queue',
    "Answers with the state at the queue's beginning: the events after it are what changes it.",
  )
  @RecordsNothing()
  @OptionalAuth()
  async register(
    @Caller() caller: User | undefined,
    @ClientName() clientName: string,
    @SessionId() session: string | undefined,
    @Params(RegisterParams) params: RegisterParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const user = callerOrSpectator(this.directory, caller);
    if (isSpectator(user)) assertAnonymous(params);
    const asked = queueSettings(params, clientName, user, this.directory);
    const settings = isSpectator(user) ? { ...asked, clientGravatar: false, slimPresence: true } : asked;
    const fields = await this.registration.register(user, {
      settings,
      fetchEventTypes: params.fetch_event_types ?? settings.eventTypes,
      pronouns: params.pronouns_field_type_supported,
      presenceHistoryDays: params.presence_history_limit_days,
      lifespanSeconds: params.queue_lifespan_secs,
      session,
    });
    await sendLateFields(reply, fields);
  }
}

/** What an anonymous call may ask for (rules.md §1). @throws Refusal BAD_REQUEST */
function assertAnonymous({ client_extavatar, include_subscribers }: RegisterParams): void {
  if (client_extavatar === true) throw badRequest("Invalid 'client_gravatar' parameter for anonymous request");
  if (include_subscribers !== 'false')
    throw badRequest("Invalid 'include_subscribers' parameter for anonymous request");
}

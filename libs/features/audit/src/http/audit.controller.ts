import { Controller, Get, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiTags, Caller, Params, PathId, Raw } from '#http';
import type { User } from '#organization';
import { AuditorGuard } from '../access/auditor.guard.js';
import { Answering } from '../answering.js';
import { AuditCalls } from '../calls/audit-calls.js';
import { MessageStory } from '../messages/message-story.js';
import { AuditParams } from './audit.params.js';

/** Questions of auditors (endpoints.md §16). Answers are JSON Lines. */
@ApiTags('audit')
@Controller('api/v1/audit')
@UseGuards(AuditorGuard)
@Raw()
export class AuditController {
  constructor(
    private readonly answering: Answering,
    private readonly calls: AuditCalls,
    private readonly messages: MessageStory,
  ) {}

  /** All calls of auditors, this one included. */
  @Get('audits')
  async audits(
    @Caller() auditor: User,
    @Params(AuditParams) { reason, asOf }: AuditParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const question = { name: 'audits', parameters: {}, reason, asOf };
    await this.answering.answer(reply, auditor, question, (moment) => this.calls.rows(moment));
  }

  /** Everything about one message, deleted ones included. */
  @Get('messages/:message_id')
  async message(
    @Caller() auditor: User,
    @PathId('message_id') id: number,
    @Params(AuditParams) { reason, asOf }: AuditParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const question = { name: 'messages', parameters: { message_id: id }, reason, asOf };
    await this.answering.answer(reply, auditor, question, (moment) => this.messages.rows(id, moment));
  }
}

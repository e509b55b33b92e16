import { Controller, Get, Post, Res, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Answers, AnswersFile, ApiTags, Caller, HiddenBy, Params, PathId, Raw, Summary } from '#http';
import { badRequest } from '#kernel';
import type { User } from '#users/model';
import { integer, object } from '#wire';
import { ApproverDoor, AuditorDoor, IntendedGuard } from '../access/doors.js';
import { Answering } from '../answering.js';
import { Approvals } from '../approvals/approvals.js';
import { DecideCallCommand, RequestCallCommand } from '../approvals/change-requests.js';
import { assertCouldBeAsked } from './asked-params.js';
import { AuditParams } from './audit.params.js';
import { DecisionParams, RequestParams } from './requests.params.js';

/** Calls of auditors that somebody else has to approve (endpoints.md §16). */
@ApiTags('audit')
@Controller('api/v1/audit/requests')
@UseGuards(IntendedGuard)
export class RequestsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly answering: Answering,
    private readonly approvals: Approvals,
  ) {}

  @Get()
  @HiddenBy(ApproverDoor)
  @Raw()
  @AnswersFile('application/jsonl')
  @Summary('List requests of auditors', 'As JSON lines: those that are not over. For auditors and owners.')
  list(@Caller() viewer: User, @Params(AuditParams) params: AuditParams, @Res() reply: FastifyReply): Promise<void> {
    if (params.asOf !== undefined) throw badRequest('Requests are listed as they are now.');
    return this.answering.answer(reply, viewer, params.question('requests'), () => this.approvals.rows());
  }

  @Post()
  @HiddenBy(AuditorDoor)
  @Answers(object({ request_id: integer, until: integer }))
  @Summary(
    'Request the approval of a call',
    'Another auditor or an owner is asked to let the caller read. For auditors.',
  )
  async request(
    @Caller() actor: User,
    @Params(RequestParams) { question, parameters, reason }: RequestParams,
  ): Promise<{ request_id: number; until: number }> {
    const texts = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
    const asked = { question, parameters: texts };
    assertCouldBeAsked(asked);
    const { requestId, until } = await this.commands.execute(new RequestCallCommand(actor, asked, reason));
    return { request_id: requestId, until };
  }

  @Post(':request_id/approve')
  @HiddenBy(ApproverDoor)
  @Answers()
  @Summary('Approve a request of an auditor', 'Of somebody else. For auditors and owners.')
  async approve(
    @Caller() actor: User,
    @PathId('request_id') requestId: number,
    @Params(DecisionParams) { reason }: DecisionParams,
  ): Promise<void> {
    await this.commands.execute(new DecideCallCommand(actor, requestId, true, reason));
  }

  @Post(':request_id/refuse')
  @HiddenBy(ApproverDoor)
  @Answers()
  @Summary('Refuse a request of an auditor', 'Of somebody else. For auditors and owners.')
  async refuse(
    @Caller() actor: User,
    @PathId('request_id') requestId: number,
    @Params(DecisionParams) { reason }: DecisionParams,
  ): Promise<void> {
    await this.commands.execute(new DecideCallCommand(actor, requestId, false, reason));
  }
}

import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Param, Params, PathId, Summary, text } from '#http';
import type { User } from '#users/model';
import { MaxCharacters } from '#validation';
import { ReportMessageCommand } from './report-message.js';
import { REPORT_LENGTH_MAX } from './report.js';

class ReportMessageParams {
  @Param(text(), { description: 'A key of `server_report_message_types`.' })
  @MaxCharacters(100)
  report_type!: string;

  @Param(text(), { default: '', description: 'Required when the type is `other`.' })
  @MaxCharacters(REPORT_LENGTH_MAX)
  description!: string;
}

/** Reports of messages to the organization's moderators (endpoints.md §4, POST /messages/{id}/report). */
@ApiTags('messages')
@Controller('api/v1/messages')
export class ReportsController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':message_id/report')
  @Answers()
  @Summary('Report a message', 'It is told to the moderators, in the channel that the organization has for it.')
  async report(
    @Caller() actor: User,
    @PathId('message_id') messageId: number,
    @Params(ReportMessageParams) { report_type: type, description }: ReportMessageParams,
  ): Promise<void> {
    await this.commands.execute(new ReportMessageCommand(actor, messageId, { type, description }));
  }
}

import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, integer, Param, Params, Summary, text } from '#http';
import type { User } from '#users/model';
import { MaxCharacters, Min } from '#validation';
import { AddSubmessageCommand } from './add-submessage.js';

/** An option of a poll, or a task with its description, and the JSON around it. */
const CONTENT_LENGTH_MAX = 1000;

class AddSubmessageParams {
  @Param(integer())
  @Min(0)
  message_id!: number;

  @Param(text(), { description: '`widget`.' })
  @MaxCharacters(100)
  msg_type!: string;

  @Param(text(), { description: 'JSON.' })
  @MaxCharacters(CONTENT_LENGTH_MAX)
  content!: string;
}

/** Votes in polls and entries of to-do lists (endpoints.md §4, POST /submessage). */
@ApiTags('messages')
@Controller('api/v1/submessage')
export class SubmessagesController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @Answers()
  @Summary('Add a submessage', 'Data of a widget, such as a vote in a poll.')
  async add(
    @Caller() actor: User,
    @Params(AddSubmessageParams) { message_id, msg_type, content }: AddSubmessageParams,
  ): Promise<void> {
    await this.commands.execute(new AddSubmessageCommand(actor, message_id, msg_type, content));
  }
}

import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, ClientName, Params, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { integer, list, object } from '#wire';
import { AddScheduledCommand } from './add-scheduled.js';
import { ChangeScheduledCommand, RemoveScheduledCommand } from './change-scheduled.js';
import { ListScheduledQuery } from './list-scheduled.js';
import { AddScheduledParams, ChangeScheduledParams } from './scheduled.params.js';
import { NO_SUCH_SCHEDULED } from './scheduled.decider.js';
import type { WireScheduled } from './wire-scheduled.js';
import { ScheduledSchema } from './wire-scheduled.js';

/** The caller's scheduled messages (endpoints.md §6). */
@ApiTags('scheduled messages')
@Controller('api/v1/scheduled_messages')
export class ScheduledController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers(object({ scheduled_messages: list(ScheduledSchema) }))
  @Summary("List the caller's scheduled messages", 'By their time.')
  async list(@Caller() viewer: User): Promise<{ scheduled_messages: readonly WireScheduled[] }> {
    return { scheduled_messages: await this.queries.execute(new ListScheduledQuery(viewer)) };
  }

  @Post()
  @Answers(object({ scheduled_message_id: integer }))
  @Summary('Schedule a message', 'It is sent at that time, as the caller.')
  async add(
    @Caller() sender: User,
    @ClientName() client: string,
    @Params(AddScheduledParams) params: AddScheduledParams,
  ): Promise<{ scheduled_message_id: number }> {
    const { type, to, content, topic, scheduled_delivery_timestamp: deliverAt, read_by_sender } = params;
    const request = {
      type,
      to,
      content,
      client,
      topic,
      readBySender: read_by_sender,
    };
    return { scheduled_message_id: await this.commands.execute(new AddScheduledCommand(sender, request, deliverAt)) };
  }

  @Patch(':scheduled_message_id')
  @Answers()
  @Summary('Change a scheduled message', 'Recipients, content or time.')
  async change(
    @Caller() sender: User,
    @PathId('scheduled_message_id', NO_SUCH_SCHEDULED) scheduledId: number,
    @Params(ChangeScheduledParams) params: ChangeScheduledParams,
  ): Promise<void> {
    const { type, to, content, topic, scheduled_delivery_timestamp: deliverAt } = params;
    await this.commands.execute(
      new ChangeScheduledCommand(sender, scheduledId, { type, to, content, topic, deliverAt }),
    );
  }

  @Delete(':scheduled_message_id')
  @Answers()
  @Summary('Delete a scheduled message', 'It is not sent.')
  async remove(
    @Caller() sender: User,
    @PathId('scheduled_message_id', NO_SUCH_SCHEDULED) scheduledId: number,
  ): Promise<void> {
    await this.commands.execute(new RemoveScheduledCommand(sender, scheduledId));
  }
}

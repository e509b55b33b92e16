import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { integer, list, object } from '#wire';
import { AddReminderCommand, RemoveReminderCommand } from './change-reminders.js';
import { NO_SUCH_REMINDER } from './reminders.decider.js';
import { ListRemindersQuery } from './list-reminders.js';
import { AddReminderParams } from './reminders.params.js';
import type { WireReminder } from './wire-reminder.js';
import { ReminderSchema } from './wire-reminder.js';

/** The caller's reminders (endpoints.md §6). */
@ApiTags('reminders')
@Controller('api/v1/reminders')
export class RemindersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers(object({ reminders: list(ReminderSchema) }))
  @Summary("List the caller's reminders", 'By their time.')
  async list(@Caller() viewer: User): Promise<{ reminders: readonly WireReminder[] }> {
    return { reminders: await this.queries.execute(new ListRemindersQuery(viewer)) };
  }

  @Post()
  @Answers(object({ reminder_id: integer }))
  @Summary('Add a reminder of a message', 'The notification bot quotes the message at that time.')
  async add(
    @Caller() actor: User,
    @Params(AddReminderParams) params: AddReminderParams,
  ): Promise<{ reminder_id: number }> {
    const { message_id: messageId, scheduled_delivery_timestamp: deliverAt, note } = params;
    return { reminder_id: await this.commands.execute(new AddReminderCommand(actor, { messageId, deliverAt, note })) };
  }

  @Delete(':reminder_id')
  @Answers()
  @Summary('Delete a reminder', "One of the caller's.")
  async remove(@Caller() actor: User, @PathId('reminder_id', NO_SUCH_REMINDER) reminderId: number): Promise<void> {
    await this.commands.execute(new RemoveReminderCommand(actor, reminderId));
  }
}

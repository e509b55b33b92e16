import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Params } from '#http';
import type { User } from '#organization';
import { ChangeFlagsCommand, settableFlag } from '../commands/change-flags.js';
import { MarkAllReadCommand, MarkChannelReadCommand, MarkTopicReadCommand } from '../commands/mark-read.js';
import { ChangeFlagsParams, MarkChannelReadParams, MarkTopicReadParams } from './flags.params.js';

/** Personal flags (specification, POST /messages/flags; endpoints.md §4). */
@ApiTags('messages')
@Controller('api/v1')
export class FlagsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('messages/flags')
  async change(
    @Caller() actor: User,
    @Params(ChangeFlagsParams) { messages, op, flag }: ChangeFlagsParams,
  ): Promise<{ messages: readonly number[]; ignored_because_not_subscribed_channels?: readonly number[] }> {
    const ignored = await this.commands.execute(new ChangeFlagsCommand(actor, messages, op, settableFlag(flag)));
    if (op === 'add' || flag !== 'read') return { messages };
    return { messages, ignored_because_not_subscribed_channels: ignored };
  }

  @Post('mark_all_as_read')
  async all(@Caller() actor: User): Promise<{ complete: true }> {
    await this.commands.execute(new MarkAllReadCommand(actor));
    return { complete: true };
  }

  @Post('mark_stream_as_read')
  async channel(
    @Caller() actor: User,
    @Params(MarkChannelReadParams) { stream_id }: MarkChannelReadParams,
  ): Promise<void> {
    await this.commands.execute(new MarkChannelReadCommand(actor, stream_id));
  }

  @Post('mark_topic_as_read')
  async topic(
    @Caller() actor: User,
    @Params(MarkTopicReadParams) { stream_id, topic_name }: MarkTopicReadParams,
  ): Promise<void> {
    await this.commands.execute(new MarkTopicReadCommand(actor, stream_id, topic_name));
  }
}

import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Param, Params, PathId, Summary, text } from '#http';
import type { User } from '#users/model';
import { object, truth } from '#wire';
import { DeleteTopicCommand } from './delete-topic.js';

class DeleteTopicParams {
  @Param(text())
  topic_name!: string;
}

/** Operations on whole topics (endpoints.md §4). */
@ApiTags('messages')
@Controller('api/v1/streams/:stream_id')
export class TopicsController {
  constructor(private readonly commands: CommandBus) {}

  /** A client that receives `complete: false` asks again for the rest. */
  @Post('delete_topic')
  @Answers(object({ complete: truth }))
  @Summary('Delete a topic', 'All its messages, in parts: call again until it is complete.')
  async delete(
    @Caller() actor: User,
    @PathId('stream_id') channelId: number,
    @Params(DeleteTopicParams) { topic_name }: DeleteTopicParams,
  ): Promise<{ complete: boolean }> {
    return { complete: await this.commands.execute(new DeleteTopicCommand(actor, channelId, topic_name)) };
  }
}

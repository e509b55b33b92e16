import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags, Caller, Param, Params, PathId, text } from '#http';
import type { User } from '#organization';
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
  async delete(
    @Caller() actor: User,
    @PathId('stream_id') channelId: number,
    @Params(DeleteTopicParams) { topic_name }: DeleteTopicParams,
  ): Promise<{ complete: boolean }> {
    return { complete: await this.commands.execute(new DeleteTopicCommand(actor, channelId, topic_name)) };
  }
}

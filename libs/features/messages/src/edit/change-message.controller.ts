import { Controller, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, boolean, Caller, integer, Param, Params, PathId, Summary, text } from '#http';
import type { User } from '#users/model';
import { IsIn } from '#validation';
import { list, object, type Wire } from '#wire';
import { AttachmentSchema, ReferencedFiles } from '../render/referenced-files.js';
import { ChangeMessageCommand, type ChangeRequest } from './change-message.js';

class ChangeMessageParams {
  @Param(text(), { optional: true })
  content?: string;

  @Param(text(), { optional: true, description: 'SHA-256 of the content as the client knows it, hexadecimal.' })
  prev_content_sha256?: string;

  @Param(text(), { aliases: ['subject'], optional: true })
  topic?: string;

  @Param(integer(), { optional: true, description: 'Channel to move to.' })
  stream_id?: number;

  @Param(text(), { default: 'change_one' })
  @IsIn(['change_one', 'change_later', 'change_all'])
  propagate_mode!: 'change_one' | 'change_later' | 'change_all';

  @Param(boolean(), { default: false })
  send_notification_to_old_thread!: boolean;

  @Param(boolean(), { default: true })
  send_notification_to_new_thread!: boolean;
}

/** Edits and moves messages (endpoints.md §4, PATCH /messages/{message_id}). */
@ApiTags('messages')
@Controller('api/v1/messages')
export class ChangeMessageController {
  constructor(
    private readonly commands: CommandBus,
    private readonly files: ReferencedFiles,
  ) {}

  @Patch(':message_id')
  @Answers(object({ detached_uploads: list(AttachmentSchema) }))
  @Summary(
    'Edit or move a message',
    "Content, topic and channel. Answers with the caller's files that no message refers to any more.",
  )
  async change(
    @Caller() actor: User,
    @PathId('message_id') messageId: number,
    @Params(ChangeMessageParams) params: ChangeMessageParams,
  ): Promise<{ detached_uploads: readonly Wire<typeof AttachmentSchema>[] }> {
    const detached = await this.commands.execute(new ChangeMessageCommand(actor, messageId, changeRequestOf(params)));
    return { detached_uploads: detached.length === 0 ? [] : await this.files.detached(actor, detached) };
  }
}

function changeRequestOf(params: ChangeMessageParams): ChangeRequest {
  const { content, prev_content_sha256, topic, stream_id, propagate_mode } = params;
  return {
    content,
    prevContentSha256: prev_content_sha256,
    topic,
    channelId: stream_id,
    propagateMode: propagate_mode,
    notices: { oldThread: params.send_notification_to_old_thread, newThread: params.send_notification_to_new_thread },
  };
}

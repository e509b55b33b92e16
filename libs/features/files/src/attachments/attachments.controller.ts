import { Controller, Delete, Get } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { integer, list, object } from '#wire';
import { AttachmentSchema } from '#messages';
import { ListAttachmentsQuery } from './list-attachments.js';
import { RemoveAttachmentCommand } from './remove-attachment.js';
import type { WireAttachment } from './wire-attachment.js';

/** The caller's uploaded files (endpoints.md §12). */
@ApiTags('files')
@Controller('api/v1/attachments')
export class AttachmentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers(object({ attachments: list(AttachmentSchema), upload_space_used: integer }))
  @Summary(
    "List the caller's files",
    'With the messages that refer to them, and the bytes that all files of the organization use.',
  )
  async list(@Caller() viewer: User): Promise<{ attachments: readonly WireAttachment[]; upload_space_used: number }> {
    const { attachments, usedBytes } = await this.queries.execute(new ListAttachmentsQuery(viewer));
    return { attachments, upload_space_used: usedBytes };
  }

  @Delete(':attachment_id')
  @Answers()
  @Summary("Delete one of the caller's files", 'Its address stops to work.')
  async remove(@Caller() actor: User, @PathId('attachment_id') fileId: number): Promise<void> {
    await this.commands.execute(new RemoveAttachmentCommand(actor, fileId));
  }
}

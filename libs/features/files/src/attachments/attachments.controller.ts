import { Controller, Delete, Get } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags, Caller, PathId } from '#http';
import type { User } from '#organization';
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
  async list(@Caller() viewer: User): Promise<{ attachments: readonly WireAttachment[]; upload_space_used: number }> {
    const { attachments, usedBytes } = await this.queries.execute(new ListAttachmentsQuery(viewer));
    return { attachments, upload_space_used: usedBytes };
  }

  @Delete(':attachment_id')
  async remove(@Caller() actor: User, @PathId('attachment_id') fileId: number): Promise<void> {
    await this.commands.execute(new RemoveAttachmentCommand(actor, fileId));
  }
}

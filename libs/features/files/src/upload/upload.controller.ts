import { Controller, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Answers, ApiBody, ApiConsumes, ApiTags, Caller, incomingFile, Summary, TakesFile } from '#http';
import { UploadLimits } from '#realm/model';
import type { User } from '#users/model';
import { described, object, text } from '#wire';
import { UploadFileCommand } from './upload-file.js';

/** Uploads (endpoints.md §13). */
@ApiTags('files')
@Controller('api/v1/user_uploads')
export class UploadController {
  constructor(
    private readonly commands: CommandBus,
    private readonly limits: UploadLimits,
  ) {}

  @Post()
  @Answers(object({ url: text, uri: described(text, 'The same as url.'), filename: text }))
  @Summary('Upload a file', 'Messages refer to it by the address that is answered.')
  @TakesFile()
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
  })
  async upload(
    @Caller() actor: User,
    @Req() request: FastifyRequest,
  ): Promise<{ url: string; uri: string; filename: string }> {
    const file = await incomingFile(request, this.limits.fileMib);
    const { pathId, title } = await this.commands.execute(new UploadFileCommand(actor, file));
    const url = `/user_uploads/${pathId}`;
    return { url, uri: url, filename: title };
  }
}

import { Controller, Get, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { Answers, ApiTags, Caller, Summary } from '#http';
import type { User } from '#users/model';
import { object, text } from '#wire';
import { FileUrlQuery } from './file-url.js';
import { pathOf } from './request-path.js';

/** Links that open a file in other programs (endpoints.md §13). */
@ApiTags('files')
@Controller('api/v1/user_uploads')
export class FileUrlController {
  constructor(private readonly queries: QueryBus) {}

  /** An address, relative to the server's, that opens the file without credentials for a minute. */
  @Get([':realm_id/:path', ':realm_id/*'])
  @Answers(object({ url: text }))
  @Summary('Get a temporary address of a file', 'It needs no credentials, and is good for 60 seconds.')
  async url(@Caller() viewer: User, @Req() request: FastifyRequest): Promise<{ url: string }> {
    return { url: await this.queries.execute(new FileUrlQuery(viewer, pathOf(request))) };
  }
}

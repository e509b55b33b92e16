import { Controller, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags, Caller, Param, Params, text } from '#http';
import type { User } from '#organization';
import { RenderContentQuery } from './render-content.js';

class RenderContentParams {
  @Param(text(), { description: 'Markdown.' })
  content!: string;
}

/** Rendering without sending (endpoints.md §3). */
@ApiTags('messages')
@Controller('api/v1')
export class RenderContentController {
  constructor(private readonly queries: QueryBus) {}

  @Post('messages/render')
  async render(
    @Caller() viewer: User,
    @Params(RenderContentParams) { content }: RenderContentParams,
  ): Promise<{ rendered: string }> {
    return { rendered: await this.queries.execute(new RenderContentQuery(viewer, content)) };
  }
}

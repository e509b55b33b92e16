import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { ContentRenderer } from './content-renderer.js';
import { normalizedContent } from '../model/message-content.js';
import { htmlOf } from './html.js';

/** Renders content without sending it (endpoints.md §3, POST /messages/render). */
export class RenderContentQuery extends Query<string> {
  constructor(
    readonly viewer: User,
    readonly content: string,
  ) {
    super();
  }
}

@QueryHandler(RenderContentQuery)
export class RenderContentHandler implements IQueryHandler<RenderContentQuery> {
  constructor(private readonly renderer: ContentRenderer) {}

  async execute({ viewer, content }: RenderContentQuery): Promise<string> {
    const accepted = normalizedContent(content);
    if (accepted === '') return ''; // Clients request previews before anything is written.
    return htmlOf(await this.renderer.preview(viewer, accepted));
  }
}

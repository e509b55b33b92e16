import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import type { User } from '#users/model';
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

export const renderContent = query(
  RenderContentQuery,
  { renderer: ContentRenderer },
  async ({ viewer, content }, { renderer }) => {
    const accepted = normalizedContent(content);
    if (accepted === '') return ''; // Clients request previews before anything is written.
    return htmlOf(await renderer.preview(viewer, accepted));
  },
);

import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { SnippetsReader } from './snippets.reader.js';
import type { WireSnippet } from './wire-snippet.js';

/** The viewer's saved snippets, by ID. */
export class ListSnippetsQuery extends Query<readonly WireSnippet[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

@QueryHandler(ListSnippetsQuery)
export class ListSnippetsHandler implements IQueryHandler<ListSnippetsQuery> {
  constructor(private readonly reader: SnippetsReader) {}

  execute({ viewer }: ListSnippetsQuery): Promise<readonly WireSnippet[]> {
    return this.reader.of(viewer.userId);
  }
}

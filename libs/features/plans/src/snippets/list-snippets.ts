import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import type { User } from '#users/model';
import { SnippetsReader } from './snippets.reader.js';
import type { WireSnippet } from './wire-snippet.js';

/** The viewer's saved snippets, by ID. */
export class ListSnippetsQuery extends Query<readonly WireSnippet[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

export const listSnippets = query(ListSnippetsQuery, { reader: SnippetsReader }, ({ viewer }, { reader }) =>
  reader.of(viewer.userId),
);

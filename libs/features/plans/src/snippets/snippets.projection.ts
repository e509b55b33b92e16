import { type CollectionSchema, projection } from '#read-store';
import type { Snippet, SnippetEvent } from './snippets.events.js';

/** A saved snippet of a user. */
export interface SnippetDocument extends Snippet {
  userId: number;
}

export const snippetsCollection = {
  name: 'saved_snippets',
  key: 'text',
  fields: { userId: 'integer' },
  indexes: [['userId']],
} as const satisfies CollectionSchema;

/** Sorts by user and then by ID. */
export function snippetKey(userId: number, snippetId: number): string {
  return `${userId}:${String(snippetId).padStart(16, '0')}`;
}

/** Current saved snippets, one document each. */
export const snippetsProjection = projection<SnippetDocument, SnippetEvent>(snippetsCollection, {
  'snippet.added.v1': {
    keys: ({ data }) => [snippetKey(data.userId, data.snippet.snippetId)],
    creates: true,
    evolve: (_doc, { data: { userId, snippet } }) => ({ userId, ...snippet }),
  },
  'snippet.changed.v1': {
    keys: ({ data }) => [snippetKey(data.userId, data.snippet.snippetId)],
    evolve: (_doc, { data: { userId, snippet } }) => ({ userId, ...snippet }),
  },
  // Without `evolve` the document is removed.
  'snippet.removed.v1': { keys: ({ data }) => [snippetKey(data.userId, data.snippetId)] },
});

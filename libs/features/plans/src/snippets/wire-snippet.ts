import { type EventSchemas, integer, list, named, object, text, type Wire } from '#wire';
import type { Snippet } from './snippets.events.js';

/** A saved snippet as clients see it (endpoints.md §6). */
export const SnippetSchema = named(
  'SavedSnippet',
  object({ id: integer, title: text, content: text, date_created: integer }),
);
export type WireSnippet = Wire<typeof SnippetSchema>;

export const snippetEventSchemas = {
  'saved_snippets/add': { saved_snippet: SnippetSchema },
  'saved_snippets/update': { saved_snippet: SnippetSchema },
  'saved_snippets/remove': { saved_snippet_id: integer },
} satisfies EventSchemas;

export const snippetFieldSchemas = { saved_snippets: list(SnippetSchema) };

export function wireSnippet({ snippetId: id, title, content, createdAt }: Snippet): WireSnippet {
  return { id, title, content, date_created: createdAt };
}

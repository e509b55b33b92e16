import type { Snippet } from './snippets.events.js';

/** A saved snippet as clients see it (endpoints.md §6). */
export type WireSnippet = {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly date_created: number;
};

export function wireSnippet({ snippetId: id, title, content, createdAt }: Snippet): WireSnippet {
  return { id, title, content, date_created: createdAt };
}

import { projectionSpec } from '#testing';
import type { Snippet, SnippetEvent } from './snippets.events.js';
import { snippetKey, snippetsProjection } from './snippets.projection.js';

const userId = 7;
const at = 1000;
const snippetOf = (snippetId: number, content = 'soup'): Snippet => {
  return { snippetId, title: 'lunch', content, createdAt: at };
};
const facts: SnippetEvent[] = [
  { type: 'snippet.added.v1', data: { userId, snippet: snippetOf(1) } },
  { type: 'snippet.added.v1', data: { userId, snippet: snippetOf(2) } },
  { type: 'snippet.changed.v1', data: { userId, snippet: snippetOf(2, 'stew'), at } },
  { type: 'snippet.removed.v1', data: { userId, snippetId: 1, at } },
];

test('each snippet has a document until it is removed', () => {
  const { given } = projectionSpec(snippetsProjection);
  given(...facts.slice(0, 2)).thenDoc(snippetKey(userId, 1), { userId, ...snippetOf(1) });
  given(...facts)
    .thenKeys(snippetKey(userId, 2))
    .thenDoc(snippetKey(userId, 2), { userId, ...snippetOf(2, 'stew') });
});

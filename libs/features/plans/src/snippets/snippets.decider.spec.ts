import { specFor } from '#testing';
import { SNIPPETS_BYTES_MAX, SNIPPETS_MAX, snippetsDecider } from './snippets.decider.js';
import type { Snippet, SnippetEvent } from './snippets.events.js';

const given = specFor(snippetsDecider);
const userId = 7;
const idOf = (nth: number): number => userId * 100_000 + nth;
const at = 1000;
const by = { userId, at } as const;

const snippetOf = (nth: number, content = 'soup', title = 'lunch'): Snippet => {
  return { snippetId: idOf(nth), title, content, createdAt: at };
};
const added = (snippet: Snippet): SnippetEvent => ({ type: 'snippet.added.v1', data: { userId, snippet } });
const changed = (snippet: Snippet): SnippetEvent => ({ type: 'snippet.changed.v1', data: { userId, snippet, at } });
const removed = (nth: number): SnippetEvent => ({
  type: 'snippet.removed.v1',
  data: { userId, snippetId: idOf(nth), at },
});
const add = (content = 'soup', title = 'lunch') => ({ type: 'add-snippet', ...by, title, content }) as const;
const change = (nth: number, content?: string, title?: string) => {
  return { type: 'change-snippet', ...by, snippetId: idOf(nth), title, content } as const;
};
const remove = (nth: number) => ({ type: 'remove-snippet', ...by, snippetId: idOf(nth) }) as const;

test('ids count up and are never used again; blanks around are left out', () => {
  given()
    .when(add(' soup\n', ' lunch '))
    .then(added(snippetOf(1)));
  given(added(snippetOf(1)), removed(1))
    .when(add())
    .then(added(snippetOf(2)));
});
test.each([add(' '), add('x', ''), add('a\0b'), add('x', 'a\0b'), change(1, ' '), change(1, 'x', ' '), change(1)])(
  '%j is refused',
  (command) => {
    given(added(snippetOf(1)))
      .when(command)
      .thenRefused('BAD_REQUEST');
  },
);
test('a change keeps what it does not name', () => {
  given(added(snippetOf(1)))
    .when(change(1, 'stew'))
    .then(changed(snippetOf(1, 'stew')));
  given(added(snippetOf(1)))
    .when(change(1, undefined, 'dinner'))
    .then(changed(snippetOf(1, 'soup', 'dinner')));
  given(added(snippetOf(1)))
    .when(change(1, 'soup', 'lunch'))
    .thenNothing();
});
test('one that is not there, or is gone', () => {
  given().when(change(1, 'stew')).thenRefused('NOT_FOUND');
  given().when(remove(1)).thenRefused('NOT_FOUND');
  given(added(snippetOf(1)), removed(1))
    .when(remove(1))
    .thenRefused('NOT_FOUND');
});
test('removing one', () => {
  given(added(snippetOf(1)))
    .when(remove(1))
    .then(removed(1));
});
test('no more than the limit', () => {
  const all = Array.from({ length: SNIPPETS_MAX }, (_, index) => added(snippetOf(index + 1)));
  given(...all.slice(1))
    .when(add())
    .then(added(snippetOf(SNIPPETS_MAX + 1)));
  given(...all)
    .when(add())
    .thenRefused('BAD_REQUEST');
});
test('no more bytes than the limit, counted anew after changes and removals', () => {
  const half = 'x'.repeat(SNIPPETS_BYTES_MAX / 2 - 200);
  const full = [added(snippetOf(1, half)), added(snippetOf(2, half))];
  given(...full)
    .when(add('x'.repeat(500)))
    .thenRefused('BAD_REQUEST');
  given(...full)
    .when(change(1, `${half}${'x'.repeat(500)}`))
    .thenRefused('BAD_REQUEST');
  given(...full, removed(1))
    .when(add(half))
    .then(added(snippetOf(3, half)));
  given(...full, changed(snippetOf(1)))
    .when(add('x'.repeat(500)))
    .then(added(snippetOf(3, 'x'.repeat(500))));
});

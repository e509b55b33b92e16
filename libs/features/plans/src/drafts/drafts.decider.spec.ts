import { specFor } from '#testing';
import type { DraftContent } from './drafts.commands.js';
import { DRAFTS_BYTES_MAX, DRAFTS_MAX, draftsDecider } from './drafts.decider.js';
import type { Draft, DraftEvent } from './drafts.events.js';

const given = specFor(draftsDecider);
const userId = 7;
const idOf = (nth: number): number => userId * 100_000 + nth;
const at = 1000;
const client = { userId, at, isSynchronized: true } as const;

const contentOf = (content: string): DraftContent => ({ addressee: { kind: 'nobody' }, content, timestamp: 900 });
const draftOf = (nth: number, content = 'soup'): Draft => ({ draftId: idOf(nth), ...contentOf(content) });
const addedAt = (second: number, ...drafts: Draft[]): DraftEvent => ({
  type: 'drafts.added.v1',
  data: { userId, drafts, at: second },
});
const added = (...drafts: Draft[]): DraftEvent => addedAt(at, ...drafts);
const changed = (draft: Draft, when = at): DraftEvent => ({
  type: 'draft.changed.v1',
  data: { userId, draft, at: when },
});
const removed = (nth: number): DraftEvent => ({ type: 'draft.removed.v1', data: { userId, draftId: idOf(nth), at } });
const erased = (nth: number): DraftEvent => ({ type: 'drafts.erased.v1', data: { userId, upTo: idOf(nth), at } });
/** Drafts of `count` bytes of content each. */
const large = (count: number, length: number, from = 1): Draft[] =>
  Array.from({ length: count }, (_, index) => draftOf(from + index, 'x'.repeat(length)));

const add = (...contents: string[]) => ({ type: 'add-drafts', ...client, drafts: contents.map(contentOf) }) as const;
const change = (nth: number, content: string) =>
  ({ type: 'change-draft', ...client, draftId: idOf(nth), draft: contentOf(content) }) as const;
const remove = (nth: number) => ({ type: 'remove-draft', ...client, draftId: idOf(nth) }) as const;

describe('adding', () => {
  test('several are one event, with ids in their order', () =>
    given(added(draftOf(1)))
      .when(add('a', 'b'))
      .then(added(draftOf(2, 'a'), draftOf(3, 'b'))));
  test('none records nothing', () => given().when(add()).thenNothing());
  test('ids are never used again', () =>
    given(added(draftOf(1), draftOf(2)), removed(2), erased(2))
      .when(add('a'))
      .then(added(draftOf(3, 'a'))));
  test('up to the limit', () =>
    given(added(...large(DRAFTS_MAX - 1, 1)))
      .when(add('a'))
      .then(added(draftOf(DRAFTS_MAX, 'a'))));
  test('one beyond the limit refuses all', () => {
    const { message } = given(added(...large(DRAFTS_MAX - 1, 1)))
      .when(add('a', 'b'))
      .thenRefused('BAD_REQUEST');
    expect(message).toContain(String(DRAFTS_MAX));
  });
  test('what would be too large together', () => {
    given(added(...large(2, DRAFTS_BYTES_MAX / 2 - 500)))
      .when(add('x'.repeat(1000)))
      .thenRefused('BAD_REQUEST');
  });
  test('what takes the room of a removed one', () =>
    given(added(...large(2, DRAFTS_BYTES_MAX / 2 - 500)), removed(1))
      .when(add('x'.repeat(1000)))
      .then(added(draftOf(3, 'x'.repeat(1000)))));
});

describe('changing', () => {
  test('keeps the id', () =>
    given(added(draftOf(1)))
      .when(change(1, 'stew'))
      .then(changed(draftOf(1, 'stew'))));
  test('one that is not there', () => {
    given().when(change(1, 'stew')).thenRefused('NOT_FOUND');
  });
  test('one that is gone', () => {
    given(added(draftOf(1)), removed(1))
      .when(change(1, 'stew'))
      .thenRefused('NOT_FOUND');
  });
  test('counts the new size instead of the old one', () => {
    const full = added(...large(2, DRAFTS_BYTES_MAX / 2 - 500));
    given(full)
      .when(change(1, 'x'))
      .then(changed(draftOf(1, 'x')));
    given(full)
      .when(change(1, 'x'.repeat(DRAFTS_BYTES_MAX / 2 + 500)))
      .thenRefused('BAD_REQUEST');
    given(full, changed(draftOf(1, 'x')))
      .when(change(1, 'x'.repeat(1000)))
      .then(changed(draftOf(1, 'x'.repeat(1000))));
  });
});

describe('removing', () => {
  test('one', () =>
    given(added(draftOf(1)))
      .when(remove(1))
      .then(removed(1)));
  test('one that is not there', () => {
    given().when(remove(1)).thenRefused('NOT_FOUND');
  });
});

describe('without synchronization', () => {
  const off = { isSynchronized: false };
  test.each([add(), add('a'), change(1, 'a'), remove(1)])('%j is refused', (command) => {
    given(added(draftOf(1)))
      .when({ ...command, ...off })
      .thenRefused('BAD_REQUEST');
  });
  const erase = { type: 'erase-drafts', userId, at, addedUntil: at } as const;
  test('what was there is erased', () =>
    given(added(draftOf(1), draftOf(2)), changed(draftOf(2), at + 1), removed(1))
      .when(erase)
      .then(erased(2)));
  test('what was added since then stays', () =>
    given(added(draftOf(1), draftOf(2)), addedAt(at + 1, draftOf(3)))
      .when(erase)
      .then(erased(2)));
  test('what was erased takes no room', () =>
    given(added(...large(2, DRAFTS_BYTES_MAX / 2 - 500)), addedAt(at + 1, draftOf(3)), erased(2))
      .when(add(...large(2, DRAFTS_BYTES_MAX / 2 - 500).map(({ content }) => content)))
      .then(added(...large(2, DRAFTS_BYTES_MAX / 2 - 500, 4))));
  test('nothing to erase', () => given().when(erase).thenNothing());
});

test('events of other plans in the stream change nothing', () => {
  const other = { type: 'snippet.removed.v1', data: { userId, snippetId: 1, at } } as unknown as DraftEvent;
  given(added(draftOf(1)), other)
    .when(remove(1))
    .then(removed(1));
});

import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Owner of the snippets. */
const userId = Id;

const Snippet = exactly({
  /** Counts up by user from 1, and is never used again. */
  snippetId: Id,
  title: Type.String({ minLength: 1 }),
  /** Markdown. */
  content: Type.String({ minLength: 1 }),
  createdAt: At,
});

export const snippetAdded = eventType('snippet.added.v1', exactly({ userId, snippet: Snippet }));
/** The snippet after the change. */
export const snippetChanged = eventType('snippet.changed.v1', exactly({ userId, snippet: Snippet, at: At }));
export const snippetRemoved = eventType('snippet.removed.v1', exactly({ userId, snippetId: Id, at: At }));

export const snippetEventTypes = [snippetAdded, snippetChanged, snippetRemoved] as const;

export type Snippet = EventOf<typeof snippetAdded>['data']['snippet'];
export type SnippetEvent = EventOf<(typeof snippetEventTypes)[number]>;

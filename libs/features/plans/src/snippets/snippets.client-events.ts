import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, type Presentable } from '#feed';
import type { SnippetEvent } from './snippets.events.js';
import { wireSnippet, type WireSnippet, type snippetEventSchemas } from './wire-snippet.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof snippetEventSchemas>;

type Body =
  | { readonly op: 'add' | 'update'; readonly saved_snippet: WireSnippet }
  | { readonly op: 'remove'; readonly saved_snippet_id: number };

/** Client events about a user's saved snippets (events.md §3), for their own clients. */
@Injectable()
export class SnippetClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<SnippetEvent> = {
    'snippet.added.v1': ({ data }) => [entryFor(data, { op: 'add', saved_snippet: wireSnippet(data.snippet) })],
    'snippet.changed.v1': ({ data }) => [entryFor(data, { op: 'update', saved_snippet: wireSnippet(data.snippet) })],
    'snippet.removed.v1': ({ data }) => [entryFor(data, { op: 'remove', saved_snippet_id: data.snippetId })],
  };
  override readonly types: ReadonlySet<string> = new Set(['saved_snippets']);

  override present({ entry }: Presentable<Body>): readonly Told[] {
    return [{ type: 'saved_snippets', ...entry.body }];
  }
}

function entryFor({ userId }: { readonly userId: number }, body: Body): FeedEntry<Body> {
  return { type: 'saved_snippets', audience: { to: 'users', ids: [userId] }, body };
}

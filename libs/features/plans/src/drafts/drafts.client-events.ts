import { Injectable } from '@nestjs/common';
import {
  ClientEvents,
  type Derivations,
  type FeedEntry,
  noClientEvents,
  type Presentable,
  type Recipient,
} from '#feed';
import { Directory } from '#people';
import { synchronizesDrafts } from './drafts.access.js';
import type { DraftEvent } from './drafts.events.js';
import { wireDraft, type WireDraft, type draftEventSchemas } from './wire-draft.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof draftEventSchemas>;

type Body =
  | { readonly op: 'add'; readonly drafts: readonly WireDraft[] }
  | { readonly op: 'update'; readonly draft: WireDraft }
  | { readonly op: 'remove'; readonly draft_id: number };

/** Client events about a user's drafts (events.md §3), for their own clients. Erased drafts have none. */
@Injectable()
export class DraftClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<DraftEvent> = {
    'drafts.added.v1': ({ data }) => [entryFor(data, { op: 'add', drafts: data.drafts.map(wireDraft) })],
    'draft.changed.v1': ({ data }) => [entryFor(data, { op: 'update', draft: wireDraft(data.draft) })],
    'draft.removed.v1': ({ data }) => [entryFor(data, { op: 'remove', draft_id: data.draftId })],
    'drafts.erased.v1': noClientEvents,
  };
  override readonly types: ReadonlySet<string> = new Set(['drafts']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override present({ entry }: Presentable<Body>, { user }: Recipient): readonly Told[] {
    // Turning synchronization off erases drafts, undelivered ones as well.
    if (!synchronizesDrafts(this.directory, user)) return [];
    return [{ type: 'drafts', ...entry.body }];
  }
}

function entryFor({ userId }: { readonly userId: number }, body: Body): FeedEntry<Body> {
  return { type: 'drafts', audience: { to: 'users', ids: [userId] }, body };
}

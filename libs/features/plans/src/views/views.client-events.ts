import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, type Presentable } from '#feed';
import type { ViewEvent } from './views.events.js';
import { wireView, type WireView, type viewEventSchemas } from './wire-view.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof viewEventSchemas>;

type Body =
  | { readonly op: 'add'; readonly navigation_view: WireView }
  | { readonly op: 'update'; readonly fragment: string; readonly data: { is_pinned?: boolean; name?: string } }
  | { readonly op: 'remove'; readonly fragment: string };

/** Client events about a user's navigation views (events.md §3), for their own clients. */
@Injectable()
export class ViewClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<ViewEvent> = {
    'navigation-view.added.v1': ({ data }) => [entryFor(data, { op: 'add', navigation_view: wireView(data.view) })],
    'navigation-view.changed.v1': ({ data: { userId, fragment, isPinned, name } }) => {
      const data = {
        is_pinned: isPinned,
        name,
      };
      return [entryFor({ userId }, { op: 'update', fragment, data })];
    },
    'navigation-view.removed.v1': ({ data }) => [entryFor(data, { op: 'remove', fragment: data.fragment })],
  };
  override readonly types: ReadonlySet<string> = new Set(['navigation_view']);

  override present({ entry }: Presentable<Body>): readonly Told[] {
    return [{ type: 'navigation_view', ...entry.body }];
  }
}

function entryFor({ userId }: { readonly userId: number }, body: Body): FeedEntry<Body> {
  return { type: 'navigation_view', audience: { to: 'users', ids: [userId] }, body };
}

import { type CollectionSchema, projection } from '#read-store';
import { changedView } from './views.decider.js';
import type { View, ViewEvent } from './views.events.js';

/** A user's navigation views, in the order in which they were added: `VIEWS_MAX` at most. Its key is the user's ID. */
export interface ViewsDocument {
  views: readonly View[];
}

export const viewsCollection = {
  name: 'navigation_views',
  key: 'integer',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

export const viewsProjection = projection<ViewsDocument, ViewEvent>(viewsCollection, {
  'navigation-view.added.v1': {
    keys: ({ data }) => [data.userId],
    evolve: (doc, { data }) => ({ views: [...(doc?.views ?? []), data.view] }),
  },
  'navigation-view.changed.v1': {
    keys: ({ data }) => [data.userId],
    evolve: (doc, { data }) => ({
      views: (doc?.views ?? []).map((view) => (view.fragment === data.fragment ? changedView(view, data) : view)),
    }),
  },
  'navigation-view.removed.v1': {
    keys: ({ data }) => [data.userId],
    evolve: (doc, { data }) => ({ views: (doc?.views ?? []).filter(({ fragment }) => fragment !== data.fragment) }),
  },
});

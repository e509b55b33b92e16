import { projectionSpec } from '#testing';
import type { ViewEvent } from './views.events.js';
import { viewsProjection } from './views.projection.js';

const by = { userId: 7, at: 1000 } as const;
const inbox = { fragment: 'inbox', isPinned: true };
const custom = { fragment: 'narrow/is/dm', isPinned: true, name: 'Direct' };
const facts: ViewEvent[] = [
  { type: 'navigation-view.added.v1', data: { ...by, view: inbox } },
  { type: 'navigation-view.added.v1', data: { ...by, view: custom } },
  { type: 'navigation-view.changed.v1', data: { ...by, fragment: 'narrow/is/dm', name: 'DMs' } },
  { type: 'navigation-view.changed.v1', data: { ...by, fragment: 'narrow/is/dm', isPinned: false } },
  { type: 'navigation-view.removed.v1', data: { ...by, fragment: 'inbox' } },
];

test("a user's views are one document, in their order", () => {
  const { given } = projectionSpec(viewsProjection);
  given(...facts.slice(0, 2)).thenDoc(7, { views: [inbox, custom] });
  given(...facts.slice(0, 4)).thenDoc(7, { views: [inbox, { ...custom, name: 'DMs', isPinned: false }] });
  given(...facts).thenDoc(7, { views: [{ ...custom, name: 'DMs', isPinned: false }] });
});

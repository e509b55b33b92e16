import { type EventSchemas, list, named, nullable, object, partial, text, truth, type Wire } from '#wire';
import type { View } from './views.events.js';

/** A navigation view as clients see it (endpoints.md §6). */
export const ViewSchema = named('NavigationView', object({ fragment: text, is_pinned: truth, name: nullable(text) }));
export type WireView = Wire<typeof ViewSchema>;

export const viewEventSchemas = {
  'navigation_view/add': { navigation_view: ViewSchema },
  'navigation_view/update': { fragment: text, data: object(partial({ is_pinned: truth, name: text })) },
  'navigation_view/remove': { fragment: text },
} satisfies EventSchemas;

export const viewFieldSchemas = { navigation_views: list(ViewSchema) };

/** Built-in views have no name of their own; clients need the field. */
export function wireView({ fragment, isPinned, name }: View): WireView {
  return { fragment, is_pinned: isPinned, name: name ?? null };
}

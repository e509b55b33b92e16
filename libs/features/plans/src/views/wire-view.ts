import type { View } from './views.events.js';

/** A navigation view as clients see it (endpoints.md §6). */
export type WireView = { readonly fragment: string; readonly is_pinned: boolean; readonly name: string | null };

/** Built-in views have no name of their own; clients need the field. */
export function wireView({ fragment, isPinned, name }: View): WireView {
  return { fragment, is_pinned: isPinned, name: name ?? null };
}

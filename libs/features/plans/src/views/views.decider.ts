import { badRequest, type Decider, earlierFields, Refusal, unreachable } from '#kernel';
import type { ViewCommand } from './views.commands.js';
import type { View, ViewEvent } from './views.events.js';

/** Maximum views of a user. With the limits of their texts they take at most 150 KiB. */
export const VIEWS_MAX = 100;
/** Maximum length of a percent-encoded fragment: PATCH and DELETE have it in their path, whose segments have at most 1024 characters. */
export const FRAGMENT_LENGTH_MAX = 1000;

/** Fragments of views that are built into clients, with names of their own. */
const BUILT_IN: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'scheduled',
  'reminders',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
]);

/** Views by fragment, in the order in which they were added. */
type Views = Map<string, View>;

/** A user's navigation views (endpoints.md §6), in their `plans-{id}` stream. */
export const viewsDecider: Decider<Views, ViewCommand, ViewEvent> = {
  initial: () => new Map(),
  decide,
  evolve,
  earlier,
};

/** @throws Refusal BAD_REQUEST, NOT_FOUND */
function decide(views: Views, command: ViewCommand): readonly ViewEvent[] {
  const { userId, at } = command;
  switch (command.type) {
    case 'add-view': {
      const fragment = accepted(command.fragment, 'fragment');
      if (encodeURIComponent(fragment).length > FRAGMENT_LENGTH_MAX)
        throw badRequest(`fragment is too long (limit: ${FRAGMENT_LENGTH_MAX} characters, percent-encoded)`);
      const name = acceptedName(fragment, command.name);
      if (name === undefined && !BUILT_IN.has(fragment)) throw badRequest('Custom views must have a valid name.');
      if (views.has(fragment)) throw badRequest('Navigation view already exists.');
      assertNameIsFree(views, fragment, name);
      if (views.size >= VIEWS_MAX) throw badRequest(`You have too many navigation views (limit: ${VIEWS_MAX}).`);
      const view = { fragment, isPinned: command.isPinned, name };
      return [{ type: 'navigation-view.added.v1', data: { userId, view, at } }];
    }
    case 'change-view': {
      const { fragment, isPinned } = command;
      if (isPinned === undefined && command.name === undefined) throw badRequest('Nothing to change was given.');
      const name = acceptedName(fragment, command.name);
      const known = existing(views, fragment);
      assertNameIsFree(views, fragment, name);
      const changes = {
        ...(isPinned === undefined || isPinned === known.isPinned ? {} : { isPinned }),
        ...(name === undefined || name === known.name ? {} : { name }),
      };
      if (Object.keys(changes).length === 0) return [];
      return [{ type: 'navigation-view.changed.v1', data: { userId, fragment, ...changes, at } }];
    }
    case 'remove-view': {
      const { fragment } = existing(views, command.fragment);
      return [{ type: 'navigation-view.removed.v1', data: { userId, fragment, at } }];
    }
    default:
      return unreachable(command);
  }
}

/** Events of other plans, which are in the same stream, change nothing. */
function evolve(views: Views, event: ViewEvent): Views {
  switch (event.type) {
    case 'navigation-view.added.v1':
      views.set(event.data.view.fragment, event.data.view);
      break;
    case 'navigation-view.changed.v1': {
      const known = views.get(event.data.fragment);
      if (known !== undefined) views.set(known.fragment, changedView(known, event.data));
      break;
    }
    case 'navigation-view.removed.v1':
      views.delete(event.data.fragment);
      break;
  }
  return views;
}

/** What changes of a view, or the view that goes. */
function earlier(views: Views, event: ViewEvent): object | undefined {
  switch (event.type) {
    case 'navigation-view.changed.v1': {
      const { userId: _, fragment, at: __, ...changes } = event.data;
      return earlierFields(views.get(fragment), changes);
    }
    case 'navigation-view.removed.v1':
      return { view: views.get(event.data.fragment) };
    default:
      return undefined;
  }
}

/** The view after a change. */
export function changedView(view: View, { isPinned, name }: Partial<Pick<View, 'isPinned' | 'name'>>): View {
  return { ...view, ...(isPinned === undefined ? {} : { isPinned }), ...(name === undefined ? {} : { name }) };
}

function acceptedName(fragment: string, raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  if (BUILT_IN.has(fragment)) throw badRequest('Built-in views cannot have a custom name.');
  return accepted(raw, 'name');
}

function accepted(raw: string, name: string): string {
  const text = raw.trim();
  if (text === '') throw badRequest(`${name} cannot be blank`);
  if (text.includes('\0')) throw badRequest(`${name} must not contain null bytes`);
  return text;
}

function assertNameIsFree(views: Views, fragment: string, name: string | undefined): void {
  if (name === undefined) return;
  for (const view of views.values())
    if (view.name === name && view.fragment !== fragment) throw badRequest('Navigation view already exists.');
}

function existing(views: Views, fragment: string): View {
  const known = views.get(fragment);
  if (known === undefined) throw new Refusal('NOT_FOUND', 'Navigation view does not exist.');
  return known;
}

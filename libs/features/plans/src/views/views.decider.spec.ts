import { specFor } from '#testing';
import type { ViewCommand } from './views.commands.js';
import { VIEWS_MAX, viewsDecider } from './views.decider.js';
import type { View, ViewEvent } from './views.events.js';

const given = specFor(viewsDecider);
const by = { userId: 7, at: 1000 } as const;

const added = (view: View): ViewEvent => ({ type: 'navigation-view.added.v1', data: { ...by, view } });
const removed = (fragment: string): ViewEvent => ({ type: 'navigation-view.removed.v1', data: { ...by, fragment } });
const add = (fragment: string, name?: string): ViewCommand => {
  return { type: 'add-view', ...by, fragment, isPinned: true, name };
};
const change = (fragment: string, isPinned?: boolean, name?: string): ViewCommand => {
  return { type: 'change-view', ...by, fragment, isPinned, name };
};
const remove = (fragment: string): ViewCommand => ({ type: 'remove-view', ...by, fragment });

const inbox: View = { fragment: 'inbox', isPinned: true };
const custom: View = { fragment: 'narrow/is/dm', isPinned: true, name: 'Direct' };
const other: View = { fragment: 'narrow/is/followed', isPinned: true, name: 'Followed' };

test('built-in views have no name, others have one', () => {
  given().when(add(' inbox ')).then(added(inbox));
  given().when(add(custom.fragment, ' Direct ')).then(added(custom));
});
test.each([
  add('inbox', 'Mine'),
  add('narrow/is/dm'),
  add('narrow/is/dm', ' '),
  add(' '),
  add('a\0b', 'x'),
  add('ä'.repeat(167), 'x'),
  add(custom.fragment, 'New'),
  add('new', 'Direct'),
  change(other.fragment, true, 'Direct'),
  change(other.fragment, true, ' '),
  change(other.fragment),
  change('inbox', true, 'Mine'),
])('%j is refused', (command) => {
  given(added(custom), added(other)).when(command).thenRefused('BAD_REQUEST');
});
test('a change records what differs', () => {
  const changed = (changes: object) => {
    return {
      type: 'navigation-view.changed.v1',
      data: { userId: 7, fragment: custom.fragment, ...changes, at: 1000 },
    } as const;
  };
  given(added(custom))
    .when(change(custom.fragment, false, 'Direct'))
    .then(changed({ isPinned: false }));
  given(added(custom))
    .when(change(custom.fragment, true, 'DMs'))
    .then(changed({ name: 'DMs' }));
  given(added(custom))
    .when(change(custom.fragment, true, 'Direct'))
    .thenNothing();
  given(added(custom), changed({ name: 'DMs' }))
    .when(add('new', 'Direct'))
    .then(added({ ...custom, fragment: 'new' }));
});
test('removing', () => {
  given(added(custom)).when(remove(custom.fragment)).then(removed(custom.fragment));
  given(added(custom), removed(custom.fragment)).when(add(custom.fragment, 'Direct')).then(added(custom));
});
test.each([change('inbox', true), remove('inbox')])('one that is not there: %j', (command) => {
  given(added(custom)).when(command).thenRefused('NOT_FOUND');
});
test('no more than the limit', () => {
  const all = Array.from({ length: VIEWS_MAX }, (_, index) =>
    added({ ...custom, fragment: `${index}`, name: `${index}` }),
  );
  given(...all.slice(1))
    .when(add(custom.fragment, 'Direct'))
    .then(added(custom));
  given(...all)
    .when(add(custom.fragment, 'Direct'))
    .thenRefused('BAD_REQUEST');
});

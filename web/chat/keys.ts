import { useEffect } from 'react';
import { undo } from './announcer.js';
import { focusMain } from './focus-main.js';
import { useChatState } from './model/hooks.js';
import { hashOf } from './places.js';
import { unreadCounts } from './unread-counts.js';

/** Keys of the whole page. Single letters act only where nothing is typed, and not in menus, which have keys of their own. */
export function useKeys(acts: { readonly goTo: () => void; readonly help: () => void; readonly isOff: boolean }): void {
  const state = useChatState();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (acts.isOff || event.defaultPrevented || event.isComposing) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        acts.goTo();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const act = {
        '/': acts.goTo,
        '?': acts.help,
        j: focusList,
        k: focusList,
        u: undo,
        i: () => (location.hash = '#inbox'),
        n: () => {
          const next = unreadCounts(state).conversations.at(-1);
          if (next !== undefined) location.hash = hashOf(next.place, state);
        },
      }[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}

/** From elsewhere, the keys that go through a list or through messages lead there. Within them they are their own. */
function focusList(): void {
  const entry = document.querySelector<HTMLElement>('#main [data-list] li a');
  if (entry === null) focusMain();
  else entry.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, dialog, [role=menu], [contenteditable]') !== null
  );
}

/** The focus of the page where nothing else has it: on what is read. */

/** Puts the focus on the message where the reader is, or on the view. */
export function focusMain(): void {
  (currentMessage() ?? document.getElementById('main'))?.focus({ preventScroll: true });
}

/** Whether nothing has the focus that it could be taken from. */
export const isFocusFree = (): boolean =>
  document.activeElement === document.body || document.activeElement?.id === 'main';

/**
 * Brings the focus back to what is read whenever the element that had it leaves the page: with its view, its message or its dialog.
 * A reader who has put it nowhere, by a click beside all that can have it, keeps it there.
 * @returns what ends it
 */
export function keepFocus(): () => void {
  let last: EventTarget | null = null;
  const onFocus = ({ target }: FocusEvent): void => {
    last = target;
  };
  const onRelease = (): void => {
    if (document.activeElement === document.body) last = null;
  };
  const observer = new MutationObserver(() => {
    if (document.activeElement === document.body && last instanceof Element && !last.isConnected) focusMain();
  });
  addEventListener('focusin', onFocus);
  addEventListener('mouseup', onRelease);
  observer.observe(document.body, { childList: true, subtree: true });
  // What had it before is gone with signing in.
  if (document.activeElement === document.body) focusMain();
  return () => {
    removeEventListener('focusin', onFocus);
    removeEventListener('mouseup', onRelease);
    observer.disconnect();
  };
}

/** The message that Tab leads to, or the first one in view where that is out of it. */
function currentMessage(): HTMLElement | undefined {
  const feed = document.querySelector('#main [role=feed]');
  const view = feed?.parentElement?.getBoundingClientRect();
  if (feed === null || view === undefined) return undefined;
  const inView = [...feed.querySelectorAll<HTMLElement>('[role=article]')].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > view.top && top < view.bottom;
  });
  return inView.find(({ tabIndex }) => tabIndex === 0) ?? inView[0];
}

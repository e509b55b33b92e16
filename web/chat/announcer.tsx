/** One polite region for screen readers: at most one line in three seconds. What the reader has done is seen as well, in a notice. */
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { words } from '../shared/words.js';
import classes from './announcer.module.css';

const EVERY_MS = 3000;
const SEEN_MS = 5000;

let aloud = '';
/** It ends with the view in which it was said. */
let notice: { readonly text: string; readonly hash: string } | undefined;
let waiting: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let noticeTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** @param names senders of new messages in the open conversation, one per message */
export function announce(names: readonly string[]): void {
  if (names.length === 0) return;
  waiting.push(...names);
  timer ??= setTimeout(() => {
    timer = undefined;
    aloud = words.arrived(waiting.length, [...new Set(waiting)]);
    waiting = [];
    tell();
  }, EVERY_MS);
}

/** Says something that the reader has just done, and shows it for a moment. Who leads them to another view does so before. */
export function say(text: string): void {
  aloud = text;
  notice = { text, hash: location.hash };
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(endNotice, SEEN_MS);
  tell();
}

function endNotice(): void {
  notice = undefined;
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Announcer(): ReactNode {
  useEffect(() => {
    const onView = (): void => {
      if (notice !== undefined && notice.hash !== location.hash) endNotice();
    };
    addEventListener('hashchange', onView);
    return () => removeEventListener('hashchange', onView);
  }, []);
  return (
    <div aria-live="polite" className="aloud">
      {useSyncExternalStore(subscribe, () => aloud)}
    </div>
  );
}

/**
 * Floats at the lower edge of what is read, above what is pressed and written below: what was said, for the eye.
 * @param props.children what stands below it
 */
export function Foot({ children }: { readonly children?: ReactNode }): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => notice);
  return (
    <div className={classes['foot']}>
      {shown !== undefined && (
        <p aria-hidden="true" className={classes['notice']}>
          {shown.text}
        </p>
      )}
      {children}
    </div>
  );
}

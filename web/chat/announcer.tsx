/** One polite region for screen readers: at most one line in three seconds. What the reader has done is seen there as well. */
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { words } from '../shared/words.js';
import classes from './shell.module.css';

const EVERY_MS = 3000;
const SEEN_MS = 5000;

interface Line {
  readonly text: string;
  readonly isSeen: boolean;
}
let line: Line = { text: '', isSeen: false };
let waiting: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** @param names senders of new messages in the open conversation, one per message */
export function announce(names: readonly string[]): void {
  if (names.length === 0) return;
  waiting.push(...names);
  timer ??= setTimeout(() => {
    timer = undefined;
    tell({ text: words.arrived(waiting.length, [...new Set(waiting)]), isSeen: false });
    waiting = [];
  }, EVERY_MS);
}

/** Says something that the reader has just done, and shows it for a moment. */
export function say(text: string): void {
  tell({ text, isSeen: true });
}

function tell(next: Line): void {
  line = next;
  for (const listener of listeners) listener();
}

export function Announcer(): ReactNode {
  const told = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => line,
  );
  const [past, setPast] = useState<Line>();
  useEffect(() => {
    const timer = setTimeout(() => setPast(told), SEEN_MS);
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <div aria-live="polite" className={told.isSeen && told !== past ? classes['said'] : 'aloud'}>
      {told.text}
    </div>
  );
}

/** One polite region for screen readers: at most one line in three seconds. */
import { type ReactNode, useSyncExternalStore } from 'react';
import { words } from '../shared/words.js';

const EVERY_MS = 3000;

let [line, waiting]: [string, string[]] = ['', []];
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** @param names senders of new messages in the open conversation, one per message */
export function announce(names: readonly string[]): void {
  if (names.length === 0) return;
  waiting.push(...names);
  timer ??= setTimeout(() => {
    timer = undefined;
    say(words.arrived(waiting.length, [...new Set(waiting)]));
    waiting = [];
  }, EVERY_MS);
}

/** Says something that the reader has just done. */
export function say(text: string): void {
  line = text;
  for (const listener of listeners) listener();
}

export function Announcer(): ReactNode {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => line,
  );
  return (
    <div aria-live="polite" className="aloud">
      {text}
    </div>
  );
}

/** When the reader was here last: what came later is news to them. */
import { useSyncExternalStore } from 'react';

/** Who was gone for less has not been away. */
const AWAY_SECONDS = 10 * 60;
const NOTE_EVERY_MS = 60_000;

let leftAt: number | undefined;
const listeners = new Set<() => void>();

/** Seconds since the epoch; undefined for who has not been away. */
export const useLeftAt = (): number | undefined => useSyncExternalStore(subscribe, () => leftAt);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notes when the reader is here, by account. @returns what ends it */
export function watchLeaving(meId: number): () => void {
  const key = `chat/${meId}/here`;
  const now = (): number => Math.floor(Date.now() / 1000);
  let last = read(key);
  const come = (): void => {
    if (last !== undefined && now() - last > AWAY_SECONDS) {
      leftAt = last;
      for (const listener of listeners) listener();
    }
  };
  const note = (): void => {
    if (document.visibilityState !== 'visible' || !document.hasFocus()) return;
    come();
    last = now();
    write(key, last);
  };
  leftAt = undefined;
  come();
  note();
  const timer = setInterval(note, NOTE_EVERY_MS);
  addEventListener('focus', note);
  document.addEventListener('visibilitychange', note);
  return () => {
    clearInterval(timer);
    removeEventListener('focus', note);
    document.removeEventListener('visibilitychange', note);
  };
}

/** Where storage is forbidden, nobody was here before. */
function read(key: string): number | undefined {
  try {
    const kept = Number(localStorage.getItem(key));
    return kept > 0 ? kept : undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, time: number): void {
  try {
    localStorage.setItem(key, String(time));
  } catch {
    // It is known as long as the page lives.
  }
}

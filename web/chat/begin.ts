/** Leads to a channel so that the reader can begin a topic there: its composer takes the focus. */
import { channelHash } from './model/narrow.js';

type Ready = (channelId: number) => void;

/** The channel whose composer is not there yet. */
let waiting: number | undefined;
const composers = new Set<Ready>();

export function beginIn({ stream_id: id, name }: { readonly stream_id: number; readonly name: string }): void {
  waiting = id;
  location.hash = channelHash(id, name);
  for (const ready of composers) ready(id);
}

/** Says that the composer of a channel is there. @returns what says that it is gone */
export function onBegin(channelId: number, focus: () => void): () => void {
  const ready: Ready = (id) => {
    if (id !== channelId) return;
    waiting = undefined;
    focus();
  };
  if (waiting !== undefined) ready(waiting);
  // Of another channel that was never shown, nobody waits any more.
  waiting = undefined;
  composers.add(ready);
  return () => composers.delete(ready);
}

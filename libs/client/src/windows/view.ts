import type { Message } from '../wire/types.generated.js';
import type { NarrowTerm } from '../wire/types.js';
import { narrowKey, type Windows } from './windows.js';
import { runAt } from './runs.js';

/** A stretch of a narrow as a list shows it. */
export interface View {
  /** Without a gap, ascending. */
  readonly messages: readonly Message[];
  readonly hasOldest: boolean;
  readonly hasNewest: boolean;
}

/** Before anything is known. */
export const NOTHING: View = { messages: [], hasOldest: false, hasNewest: false };

/** The stretch around a message, or the newest one that is known. */
export function viewOf({ windows, messages }: Windows, narrow: readonly NarrowTerm[], at?: number): View {
  const runs = windows[narrowKey(narrow)]?.runs ?? [];
  const run = at === undefined ? runs.at(-1) : runAt(runs, at);
  if (run === undefined) return NOTHING;
  return {
    messages: run.ids.flatMap((id) => (messages.get(id) as Message | undefined) ?? []),
    hasOldest: run.from === 0,
    hasNewest: run.to === Infinity,
  };
}

/** Whether two stretches show the same. */
export function isSameView(a: View, b: View): boolean {
  if (a.hasOldest !== b.hasOldest || a.hasNewest !== b.hasNewest || a.messages.length !== b.messages.length)
    return false;
  return a.messages.every((message, index) => message === b.messages[index]);
}

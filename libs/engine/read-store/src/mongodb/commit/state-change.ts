import type { SavedCheckpoint } from '../../read-store.js';
import type { StoreState } from './store-state.js';

/** Names that have reached a checkpoint: all that have one when they are not listed, as after nearly every commit. */
interface Reached {
  readonly at: SavedCheckpoint;
  readonly names?: readonly string[];
}

/** What an entry of the journal changes: some hundred bytes, where the state has several kilobytes. */
export type StateChange =
  { readonly whole: StoreState } | { readonly passed: number; readonly reached: readonly Reached[] };

export function changeOf(before: StoreState, next: StoreState): StateChange {
  const isSmall =
    before.revision === next.revision &&
    before.writer === next.writer &&
    before.collections === next.collections &&
    before.retired === next.retired;
  if (!isSmall) return { whole: next };
  const groups: { at: SavedCheckpoint; names: string[] }[] = [];
  for (const [name, at] of Object.entries(next.checkpoints)) {
    const former = before.checkpoints[name];
    if (former !== undefined && isSame(former, at)) continue;
    const group = groups.find((one) => isSame(one.at, at));
    if (group === undefined) groups.push({ at, names: [name] });
    else group.names.push(name);
  }
  const known = Object.keys(before.checkpoints);
  return {
    passed: next.passed,
    reached: groups.map(({ at, names }) => (isAll(names, known) ? { at } : { at, names })),
  };
}

export function changed(before: StoreState, number: number, change: StateChange): StoreState {
  if ('whole' in change) return { ...change.whole, number };
  const checkpoints: Record<string, SavedCheckpoint> = { ...before.checkpoints };
  for (const { at, names = Object.keys(before.checkpoints) } of change.reached)
    for (const name of names) checkpoints[name] = at;
  return { ...before, number, passed: change.passed, checkpoints };
}

function isAll(names: readonly string[], known: readonly string[]): boolean {
  return names.length === known.length && known.every((name) => names.includes(name));
}

function isSame(one: SavedCheckpoint, other: SavedCheckpoint): boolean {
  return one.position === other.position && one.checkpoint === other.checkpoint;
}

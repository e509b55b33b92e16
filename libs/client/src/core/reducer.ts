import type { ServerEvent } from '../wire/types.js';
import type { State } from './state.js';

/** The state after an event; undefined for an `op` that this version does not know. Pure. */
export type Reducer<E = unknown> = (state: State, event: ServerEvent & E) => State | undefined;

export type Reducers = Readonly<Record<string, Reducer>>;

/** The server's schemas say what events of a type have; from here on, their reducer may rely on it. */
export function reducing<E>(reducer: Reducer<E>): Reducer {
  return reducer as Reducer;
}

/** Events that change messages, lists with routes of their own, or nothing that lasts. */
export const nothing: Reducer = (state) => state;

import type { JsonObject } from './json.js';

/** A fact: a versioned type name and its data. Once recorded it never changes. */
export interface Fact<Type extends string = string, Data extends object = JsonObject> {
  readonly type: Type;
  readonly data: Data;
}

/**
 * The write side of a feature as a value. `decide` answers a command with the facts it makes true, or throws a
 * `Refusal`; `evolve` folds a fact into the state and refuses nothing. Neither reads a clock, a store or a random number.
 * `evolve` may change and return the state that it was given, so a state has one owner.
 */
export interface Decider<State, Command, Event extends Fact<string, object>> {
  initial(): State;
  decide(state: State, command: Command): readonly Event[];
  evolve(state: State, event: Event): State;
}

export function fold<State, Command, Event extends Fact<string, object>>(
  decider: Decider<State, Command, Event>,
  events: Iterable<Event>,
  state: State = decider.initial(),
): State {
  let folded = state;
  for (const event of events) folded = decider.evolve(folded, event);
  return folded;
}

import type { JsonObject } from './json.js';

/** An event of the log: a versioned type name and its data. Immutable once recorded. */
export interface DomainEvent<Type extends string = string, Data extends object = JsonObject> {
  readonly type: Type;
  readonly data: Data;
}

/**
 * The write side of a feature as a value. `decide` returns the events that a command causes, or throws a `Refusal`;
 * `evolve` folds an event into the state and refuses nothing. Neither reads a clock, a store or a random number.
 * `evolve` may mutate and return the given state, so a state has one owner.
 */
export interface Decider<State, Command, Event extends DomainEvent<string, object>> {
  initial(): State;
  decide(state: State, command: Command): readonly Event[];
  evolve(state: State, event: Event): State;
}

export function fold<State, Command, Event extends DomainEvent<string, object>>(
  decider: Decider<State, Command, Event>,
  events: Iterable<Event>,
  state: State = decider.initial(),
): State {
  let folded = state;
  for (const event of events) folded = decider.evolve(folded, event);
  return folded;
}

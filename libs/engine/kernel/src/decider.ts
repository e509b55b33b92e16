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
  /** What the state held of what the event changes; recorded with the event. */
  earlier?(state: State, event: Event): object | undefined;
}

/** What there was of the fields that change; null where there was nothing. Undefined without changes, or without anything before. */
export function earlierFields(before: object | undefined, changes: object | undefined): object | undefined {
  if (before === undefined || changes === undefined) return undefined;
  const known = before as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.keys(changes).map((name) => [name, known[name] ?? null]));
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

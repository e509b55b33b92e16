import { deepStrictEqual, fail } from 'node:assert/strict';
import { type Decider, type DomainEvent, fold, Refusal, type RefusalCode } from '#kernel';

/** Expected outcome of a command. Each method is one complete test. */
export interface Expectation<Event> {
  /** Exactly these events, in this order. */
  then(...events: readonly Event[]): void;
  /** Accepted, without events. */
  thenNothing(): void;
  /** Refused with this code and, when given, exactly these data. Returns the refusal, for checks of its text. */
  thenRefused(code: RefusalCode, data?: Refusal['data']): Refusal;
}

export interface Given<Command, Event> {
  when(command: Command): Expectation<Event>;
}

type Outcome<Event> = { readonly events: readonly Event[] } | { readonly refusal: Refusal };

/**
 * The grammar of decider tests: `given(...past).when(command).then(...events)`. Each test also proves that the decider
 * is pure: deciding twice on the same history must give the same answer and leave the state unchanged.
 */
export function specFor<State, Command, Event extends DomainEvent<string, object>>(
  decider: Decider<State, Command, Event>,
): (...events: readonly Event[]) => Given<Command, Event> {
  return (...events) => ({
    when: (command) => {
      const outcome = decideTwice(decider, events, command);
      return {
        then: (...expected) => deepStrictEqual(eventsOf(outcome), expected),
        thenNothing: () => deepStrictEqual(eventsOf(outcome), []),
        thenRefused: (code, data) => {
          if ('events' in outcome) fail(`Expected ${code}, but it was accepted: ${JSON.stringify(outcome.events)}`);
          const { refusal } = outcome;
          deepStrictEqual(refusal.code, code, `Expected ${code}, but it was ${refusal.code}: ${refusal.message}`);
          if (data !== undefined) deepStrictEqual(refusal.data, data);
          return refusal;
        },
      };
    },
  });
}

function decideTwice<State, Command, Event extends DomainEvent<string, object>>(
  decider: Decider<State, Command, Event>,
  events: readonly Event[],
  command: Command,
): Outcome<Event> {
  const state = fold(decider, structuredClone(events));
  const first = decide(decider, state, command);
  deepStrictEqual(state, fold(decider, structuredClone(events)), 'decide changed the state it was given');
  deepStrictEqual(decide(decider, state, command), first, 'decide gave two answers to one command');
  return first;
}

function decide<State, Command, Event extends DomainEvent<string, object>>(
  decider: Decider<State, Command, Event>,
  state: State,
  command: Command,
): Outcome<Event> {
  try {
    return { events: decider.decide(state, command) };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
}

/** The events as they are recorded: JSON leaves out fields that are undefined. */
function eventsOf<Event>(outcome: Outcome<Event>): readonly Event[] {
  if ('events' in outcome) return JSON.parse(JSON.stringify(outcome.events)) as readonly Event[];
  fail(`Expected events, but it was refused: ${outcome.refusal.code}: ${outcome.refusal.message}`);
}

import type { Event } from '../wire/types.generated.js';
import type { ServerEvent } from '../wire/types.js';
import { channelReducers } from './channels.js';
import { messageReducers } from './messages.js';
import { organizationReducers } from './organization.js';
import { ownReducers } from './own-things.js';
import { peopleReducers } from './people.js';
import type { Reducer } from './reducer.js';
import type { State } from './state.js';

/** A type of event without a reducer does not compile. */
const REDUCERS: Readonly<Record<Event['type'], Reducer>> = {
  ...messageReducers,
  ...channelReducers,
  ...peopleReducers,
  ...organizationReducers,
  ...ownReducers,
};

/** The outcome of an event; an unknown one leaves the state as it is. */
export interface Applied {
  readonly state: State;
  readonly isKnown: boolean;
}

/** The state after an event of the queue. Pure: equal arguments, equal outcome. */
export function apply(state: State, event: ServerEvent): Applied {
  const reducer = Object.hasOwn(REDUCERS, event.type) ? REDUCERS[event.type as Event['type']] : undefined;
  const next = reducer?.(state, event);
  return { state: next ?? state, isKnown: next !== undefined };
}

/** The state after these events. @throws RangeError for one that is unknown */
export function applyAll(state: State, events: readonly ServerEvent[]): State {
  return events.reduce((before, event) => {
    const applied = apply(before, event);
    if (!applied.isKnown) throw new RangeError(`An event ${event.type}/${event.op ?? ''} is not understood here.`);
    return applied.state;
  }, state);
}

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

/** The state after an event of the queue; undefined for an event that is unknown. Pure: equal arguments, equal outcome. */
export function apply(state: State, event: ServerEvent): State | undefined {
  return Object.hasOwn(REDUCERS, event.type) ? REDUCERS[event.type as Event['type']](state, event) : undefined;
}

/** The state after these events. @throws RangeError for one that is unknown */
export function applyAll(state: State, events: readonly ServerEvent[]): State {
  return events.reduce((before, event) => {
    const next = apply(before, event);
    if (next === undefined) throw new RangeError(`An event ${event.type}/${event.op ?? ''} is not understood here.`);
    return next;
  }, state);
}

/** For specs of what follows from edits and moves. */
export { MESSAGE_SETTINGS } from '../model/message-settings.fixture.js';
export { changesOf } from '../move/move.decider.js';
export { changeDecider } from './change.decider.js';

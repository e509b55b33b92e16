export type { OpenFollowUp } from './follow-up-failures.js';
export { followUpEventTypes } from './follow-up.events.js';
export { type Concerns, type FollowUp, FollowUps, isFinal } from './follow-ups.js';
export {
  type OpenFollowUpDocument,
  openFollowUpsCollection,
  openFollowUpsProjection,
} from './open-follow-ups.projection.js';
export type { Trigger } from './trigger.js';

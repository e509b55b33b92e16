export { type Cause } from './cause.js';
export { followUpEventTypes } from './follow-up.events.js';
export { type FollowUp, FollowUps, type FollowUpsParts } from './follow-ups.js';
export {
  type OpenFollowUpDocument,
  openFollowUpsCollection,
  openFollowUpsProjection,
} from './open-follow-ups.projection.js';

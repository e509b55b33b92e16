export { type Cause } from './cause.js';
export { followUpEventTypes } from './follow-up.events.js';
export { type FollowUp, FollowUps } from './follow-ups.js';
export {
  type OpenFollowUpDocument,
  openFollowUpsCollection,
  openFollowUpsProjection,
} from './open-follow-ups.projection.js';

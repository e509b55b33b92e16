export { PlannedContents } from './planned-contents.js';
export { plans } from './plans.feature.js';

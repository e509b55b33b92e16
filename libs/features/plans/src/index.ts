export { PlannedContents } from './planned-contents.js';
export { plans } from './plans.feature.js';
export { PlansModule } from './plans.module.js';

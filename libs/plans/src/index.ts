export { plans } from './plans.feature.js';

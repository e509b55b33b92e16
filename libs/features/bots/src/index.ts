export { bots } from './bots.feature.js';

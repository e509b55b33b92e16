export { past } from './past.feature.js';

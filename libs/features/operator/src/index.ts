export { operating } from './operator.feature.js';

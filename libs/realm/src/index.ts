export { realm } from './realm.feature.js';

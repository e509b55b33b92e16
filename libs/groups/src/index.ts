export { groups } from './groups.feature.js';

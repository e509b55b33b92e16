export { preferences } from './preferences.feature.js';

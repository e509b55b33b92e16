export { presence } from './presence.feature.js';

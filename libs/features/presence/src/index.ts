export { Presences } from './online/presences.js';
export { presence } from './presence.feature.js';

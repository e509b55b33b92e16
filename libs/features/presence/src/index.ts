export { Presences } from './online/presences.js';
export { presence } from './presence.feature.js';
export { PresenceModule } from './presence.module.js';

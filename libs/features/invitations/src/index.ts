export { invitations } from './invitations.feature.js';

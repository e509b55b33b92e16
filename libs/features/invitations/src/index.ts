export { ChangeInvitationsCommand } from './commands/change-invitations.js';
export { invitations } from './invitations.feature.js';
export { addressesIn } from './invitees.js';

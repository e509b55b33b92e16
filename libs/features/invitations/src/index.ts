export { ChangeInvitationsCommand } from './commands/change-invitations.js';
export { invitations } from './invitations.feature.js';

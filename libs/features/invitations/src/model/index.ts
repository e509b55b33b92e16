export { mayInviteAs } from './invitation.access.js';
export { revokedFor, revokedInvitations } from './revoked-invitations.js';
export type { InvitationEvent } from './invitation.events.js';
export { invitationsPart } from './invitations.part.js';

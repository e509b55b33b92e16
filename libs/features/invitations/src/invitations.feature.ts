import { defineFeature } from '#feature';
import { InvitationClientEvents } from './invitations.client-events.js';
import { InvitationsModule } from './invitations.module.js';
import { invitationTimers } from './invitation-timers.js';

/** Invitations. Their events are those of the organization. */
export const invitations = defineFeature({
  name: 'invitations',
  clientEvents: [InvitationClientEvents],
  followUps: ['invitations.sent.v1', 'invitation.resent.v1', 'invitation.accepted.v1'],
  timers: [invitationTimers],
  module: InvitationsModule,
});

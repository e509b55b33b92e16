import { defineFeature } from '#feature';
import { InvitationClientEvents } from './invitations.client-events.js';
import { InvitationsModule } from './invitations.module.js';
import { ExpireInvitations, invitationTimers } from './invitation-timers.js';
import { mailTemplates } from '#mail';
import { InvitationMail, InvitationMailAgain } from './mail/invitation-mail.js';
import { JoinMail } from './mail/join-mail.js';
import { TellInviter } from './tell-inviter.js';
import { invitationsPart } from './model/invitations.part.js';

/** Invitations. Their events are those of the organization. */
export const invitations = defineFeature({
  name: 'invitations',
  directory: [invitationsPart],
  clientEvents: [InvitationClientEvents],
  followUps: {
    'invitations.sent.v1': InvitationMail,
    'invitation.resent.v1': InvitationMailAgain,
    'invitation.accepted.v1': TellInviter,
  },
  additions: [mailTemplates(InvitationMail, JoinMail)],
  timers: [{ source: invitationTimers, handler: ExpireInvitations }],
  module: InvitationsModule,
});

import { defineFeature } from '#feature';
import { mailTemplates } from '#mail';
import { changeInvitations } from './commands/change-invitations.js';
import { join } from './commands/join.js';
import { Entrances } from './entrances.js';
import { InvitationsController } from './http/invitations.controller.js';
import { JoinController } from './http/join.controller.js';
import { ExpireInvitations, invitationTimers } from './invitation-timers.js';
import { InvitationClientEvents } from './invitations.client-events.js';
import { JoinLinks } from './join-links.js';
import { listInvitations } from './list-invitations.js';
import { InvitationMail, InvitationMailAgain } from './mail/invitation-mail.js';
import { JoinMail } from './mail/join-mail.js';
import { invitationsPart } from './model/invitations.part.js';
import { TellInviter } from './tell-inviter.js';
import { invitationEventSchemas } from './wire-invitation.js';

/** Invitations. */
export const invitations = defineFeature({
  name: 'invitations',
  directory: [invitationsPart],
  clientEvents: [InvitationClientEvents],
  eventSchemas: [invitationEventSchemas],
  followUps: {
    'invitations.sent.v1': InvitationMail,
    'invitation.resent.v1': InvitationMailAgain,
    'invitation.accepted.v1': TellInviter,
  },
  additions: [mailTemplates(InvitationMail, JoinMail)],
  timers: [{ source: invitationTimers, handler: ExpireInvitations }],
  commands: [changeInvitations, join],
  queries: [listInvitations],
  controllers: [InvitationsController, JoinController],
  providers: [Entrances, JoinLinks],
});

import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MailModule } from '#mail';
import { MessagesModule } from '#messages';
import { UsersModule } from '#users';
import { ChangeInvitationsHandler } from './commands/change-invitations.js';
import { JoinHandler } from './commands/join.js';
import { Entrances } from './entrances.js';
import { InvitationsController } from './http/invitations.controller.js';
import { JoinController } from './http/join.controller.js';
import { ExpireInvitations } from './invitation-timers.js';
import { InvitationClientEvents } from './invitations.client-events.js';
import { JoinLinks } from './join-links.js';
import { ListInvitationsHandler } from './list-invitations.js';
import { InvitationMail, InvitationMailAgain } from './mail/invitation-mail.js';
import { JoinMail } from './mail/join-mail.js';
import { TellInviter } from './tell-inviter.js';

/** Invitations, and the pages by which invited people join. */
@Global()
@Module({
  imports: [CqrsModule, MailModule, MessagesModule, UsersModule],
  controllers: [InvitationsController, JoinController],
  providers: [
    ChangeInvitationsHandler,
    Entrances,
    ExpireInvitations,
    InvitationClientEvents,
    InvitationMail,
    InvitationMailAgain,
    JoinHandler,
    JoinLinks,
    JoinMail,
    ListInvitationsHandler,
    TellInviter,
  ],
  exports: [InvitationClientEvents],
})
export class InvitationsModule {}

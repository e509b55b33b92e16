import { defineFeature } from '#feature';
import { ProfileClientEvents } from './profile/profile.client-events.js';
import { ProfileFields } from './profile/profile.fields.js';
import { UserFields } from './register/user.fields.js';
import { UserClientEvents } from './users.client-events.js';
import { UsersModule } from './users.module.js';
import { mailTemplates } from '#mail';
import { DeactivationMail } from './deactivation-mail.js';
import { ConfirmEmailMail, EmailChangedMail } from './links/email-change-mail.js';
import { ResetMail } from './links/reset-mail.js';
import { NewcomerFollowUp } from './newcomer-follow-up.js';
import { WaitingPeriod } from './waiting-period.js';

/** Accounts. Their events are those of the organization. */
export const users = defineFeature({
  name: 'users',
  clientEvents: [UserClientEvents, ProfileClientEvents],
  followUps: {
    'user.created.v1': NewcomerFollowUp,
    'user.changed.v1': EmailChangedMail,
    'user.deactivated.v1': DeactivationMail,
    'user.email-change-requested.v1': ConfirmEmailMail,
  },
  additions: [mailTemplates(ConfirmEmailMail, DeactivationMail, EmailChangedMail, ResetMail)],
  work: [WaitingPeriod],
  register: [UserFields, ProfileFields],
  module: UsersModule,
});

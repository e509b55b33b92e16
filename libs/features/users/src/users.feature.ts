import { defineFeature } from '#feature';
import { mailTemplates } from '#mail';
import { waitingPart } from '#people';
import { changeOwnAccount } from './commands/change-own-account.js';
import { createUser } from './commands/create-user.js';
import { fetchApiKey } from './commands/fetch-api-key.js';
import { ApiKeyIssuer, regenerateApiKey } from './commands/issue-api-key.js';
import { runAccountCommand } from './commands/run-account-command.js';
import { DirectoryAuthenticator } from './credentials/directory-authenticator.js';
import { Passwords } from './credentials/passwords.js';
import { DeactivationMail } from './deactivation-mail.js';
import { FirstStart } from './first-start/first-start.js';
import { AccountsController } from './http/accounts.controller.js';
import { AuthenticationController } from './http/authentication.controller.js';
import { ServerSettingsController } from './http/server-settings.controller.js';
import { UsersController } from './http/users.controller.js';
import { AccountLinksController } from './links/account-links.controller.js';
import { AccountLinks } from './links/account-links.js';
import { ConfirmEmailMail, EmailChangedMail } from './links/email-change-mail.js';
import { ResetMail } from './links/reset-mail.js';
import { offerPasswordReset } from './links/offer-password-reset.js';
import { confirmEmail, resetPassword } from './links/use-account-links.js';
import { profileFieldsPart } from './model/profile-fields/profile-fields.part.js';
import { directsPart, foreseenEndsPart, usersPart } from './model/users.part.js';
import { NewcomerFollowUp } from './newcomer-follow-up.js';
import { changeOwnProfile } from './profile/change-own-profile.js';
import { changeProfileFields } from './profile/change-profile-fields.js';
import { OwnProfileController } from './profile/own-profile.controller.js';
import { ProfileFieldsController } from './profile/profile-fields.controller.js';
import { ProfileRendering } from './profile/profile-rendering.js';
import { ProfileClientEvents } from './profile/profile.client-events.js';
import { ProfileFields } from './profile/profile.fields.js';
import { getUser } from './queries/get-user.js';
import { listUsers } from './queries/list-users.js';
import { UserFields } from './register/user.fields.js';
import { UserChangedFollowUp } from './user-changed-follow-up.js';
import { UserClientEvents } from './users.client-events.js';
import { WaitingPeriod } from './waiting-period.js';
import { userEventSchemas } from './user-events.schema.js';
import { userFieldSchemas } from './register/user-fields.schema.js';

/** Accounts. Their events are those of the organization. */
export const users = defineFeature({
  name: 'users',
  directory: [usersPart, profileFieldsPart, waitingPart, foreseenEndsPart, directsPart],
  clientEvents: [UserClientEvents, ProfileClientEvents],
  eventSchemas: [userEventSchemas],
  followUps: {
    'user.created.v1': NewcomerFollowUp,
    'user.changed.v1': UserChangedFollowUp,
    'user.deactivated.v1': DeactivationMail,
    'user.email-change-requested.v1': ConfirmEmailMail,
  },
  additions: [mailTemplates(ConfirmEmailMail, DeactivationMail, EmailChangedMail, ResetMail)],
  work: [WaitingPeriod],
  register: [UserFields, ProfileFields],
  registerSchemas: [userFieldSchemas],
  commands: [
    changeOwnAccount,
    changeOwnProfile,
    changeProfileFields,
    confirmEmail,
    createUser,
    fetchApiKey,
    offerPasswordReset,
    regenerateApiKey,
    resetPassword,
    runAccountCommand,
  ],
  queries: [getUser, listUsers],
  controllers: [
    AccountLinksController,
    AccountsController,
    AuthenticationController,
    OwnProfileController,
    ProfileFieldsController,
    ServerSettingsController,
    UsersController,
  ],
  providers: [AccountLinks, ProfileRendering, ApiKeyIssuer, DirectoryAuthenticator, FirstStart, Passwords],
});

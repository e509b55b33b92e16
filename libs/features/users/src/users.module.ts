import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MailModule } from '#mail';
import { MessagesModule } from '#messages';
import { ChangeOwnAccountHandler } from './commands/change-own-account.js';
import { CreateUserHandler } from './commands/create-user.js';
import { FetchApiKeyHandler } from './commands/fetch-api-key.js';
import { ApiKeyIssuer, RegenerateApiKeyHandler } from './commands/issue-api-key.js';
import { RunAccountCommandHandler } from './commands/run-account-command.js';
import { DeactivationMail } from './deactivation-mail.js';
import { DirectoryAuthenticator } from './credentials/directory-authenticator.js';
import { FirstStart } from './first-start/first-start.js';
import { AccountsController } from './http/accounts.controller.js';
import { AuthenticationController } from './http/authentication.controller.js';
import { ServerSettingsController } from './http/server-settings.controller.js';
import { UsersController } from './http/users.controller.js';
import { AccountLinksController } from './links/account-links.controller.js';
import { AccountLinks } from './links/account-links.js';
import { ConfirmEmailMail, EmailChangedMail } from './links/email-change-mail.js';
import { ResetMail } from './links/reset-mail.js';
import { ConfirmEmailHandler, ResetPasswordHandler } from './links/use-account-links.js';
import { Passwords } from './credentials/passwords.js';
import { ChangeOwnProfileHandler } from './profile/change-own-profile.js';
import { ChangeProfileFieldsHandler } from './profile/change-profile-fields.js';
import { OwnProfileController } from './profile/own-profile.controller.js';
import { ProfileClientEvents } from './profile/profile.client-events.js';
import { ProfileFieldsController } from './profile/profile-fields.controller.js';
import { ProfileFields } from './profile/profile.fields.js';
import { ProfileRendering } from './profile/profile-rendering.js';
import { GetUserHandler } from './queries/get-user.js';
import { ListUsersHandler } from './queries/list-users.js';
import { UserFields } from './register/user.fields.js';
import { UserClientEvents } from './users.client-events.js';
import { NewcomerFollowUp } from './newcomer-follow-up.js';
import { WaitingPeriod } from './waiting-period.js';

/** Accounts: users, logging in, and the first start. */
@Global()
@Module({
  imports: [CqrsModule, MailModule, MessagesModule],
  controllers: [
    AccountLinksController,
    AccountsController,
    AuthenticationController,
    OwnProfileController,
    ProfileFieldsController,
    ServerSettingsController,
    UsersController,
  ],
  providers: [
    AccountLinks,
    ConfirmEmailHandler,
    ConfirmEmailMail,
    EmailChangedMail,
    ResetMail,
    ResetPasswordHandler,
    ChangeOwnProfileHandler,
    ChangeProfileFieldsHandler,
    ProfileClientEvents,
    ProfileFields,
    ProfileRendering,
    ApiKeyIssuer,
    ChangeOwnAccountHandler,
    RegenerateApiKeyHandler,
    CreateUserHandler,
    DirectoryAuthenticator,
    FetchApiKeyHandler,
    FirstStart,
    DeactivationMail,
    GetUserHandler,
    ListUsersHandler,
    Passwords,
    RunAccountCommandHandler,
    UserClientEvents,
    UserFields,
    NewcomerFollowUp,
    WaitingPeriod,
  ],
  exports: [
    ApiKeyIssuer,
    Passwords,
    ProfileClientEvents,
    ProfileFields,
    DirectoryAuthenticator,
    FirstStart,
    UserClientEvents,
    UserFields,
    WaitingPeriod,
  ],
})
export class UsersModule {}

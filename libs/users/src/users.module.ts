import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '#messages';
import { CreateUserHandler } from './commands/create-user.js';
import { FetchApiKeyHandler } from './commands/fetch-api-key.js';
import { RunAccountCommandHandler } from './commands/run-account-command.js';
import { DirectoryAuthenticator } from './directory-authenticator.js';
import { FirstStart } from './first-start.js';
import { AccountsController } from './http/accounts.controller.js';
import { AuthenticationController } from './http/authentication.controller.js';
import { ServerSettingsController } from './http/server-settings.controller.js';
import { UsersController } from './http/users.controller.js';
import { Passwords } from './passwords.js';
import { GetUserHandler } from './queries/get-user.js';
import { ListUsersHandler } from './queries/list-users.js';
import { UserFields } from './register/user.fields.js';
import { UserClientEvents } from './users.client-events.js';
import { NewcomerFollowUp } from './newcomer-follow-up.js';
import { WaitingPeriod } from './waiting-period.js';

/** Accounts: users, logging in, and the first start. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [AccountsController, AuthenticationController, ServerSettingsController, UsersController],
  providers: [
    CreateUserHandler,
    DirectoryAuthenticator,
    FetchApiKeyHandler,
    FirstStart,
    GetUserHandler,
    ListUsersHandler,
    Passwords,
    RunAccountCommandHandler,
    UserClientEvents,
    UserFields,
    NewcomerFollowUp,
    WaitingPeriod,
  ],
  exports: [DirectoryAuthenticator, FirstStart, UserClientEvents, UserFields, WaitingPeriod],
})
export class UsersModule {}

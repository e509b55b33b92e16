import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CreateUserHandler } from './commands/create-user.js';
import { FetchApiKeyHandler } from './commands/fetch-api-key.js';
import { DirectoryAuthenticator } from './directory-authenticator.js';
import { FirstStart } from './first-start.js';
import { AuthenticationController } from './http/authentication.controller.js';
import { ServerSettingsController } from './http/server-settings.controller.js';
import { UsersController } from './http/users.controller.js';
import { Passwords } from './passwords.js';
import { GetUserHandler } from './queries/get-user.js';
import { ListUsersHandler } from './queries/list-users.js';
import { UserClientEvents } from './users.client-events.js';

/** Accounts: who there is, how they log in, and the first of them. */
@Module({
  imports: [CqrsModule],
  controllers: [AuthenticationController, ServerSettingsController, UsersController],
  providers: [
    CreateUserHandler,
    DirectoryAuthenticator,
    FetchApiKeyHandler,
    FirstStart,
    GetUserHandler,
    ListUsersHandler,
    Passwords,
    UserClientEvents,
  ],
  exports: [DirectoryAuthenticator, FirstStart, UserClientEvents],
})
export class UsersModule {}

import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { UsersModule } from '#users';
import { TrustedSignInController } from './http/trusted-sign-in.controller.js';
import { IdentityProvider } from './open-id/identity-provider.js';
import { OpenIdController } from './open-id/open-id.controller.js';
import { LoginController } from './pages/login.controller.js';
import { BrowserSignIn } from './sessions/browser-sign-in.js';
import { SessionAuthenticator } from './sessions/session-authenticator.js';
import { Sessions } from './sessions/sessions.js';
import { SignedInKeys } from './signed-in-keys.js';

/** Ways to sign in besides a password. */
@Global()
@Module({
  imports: [CqrsModule, UsersModule],
  controllers: [LoginController, OpenIdController, TrustedSignInController],
  providers: [BrowserSignIn, IdentityProvider, SessionAuthenticator, Sessions, SignedInKeys],
  exports: [BrowserSignIn, SessionAuthenticator],
})
export class SignInModule {}

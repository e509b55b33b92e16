import { defineFeature } from '#feature';
import { TrustedSignInController } from './http/trusted-sign-in.controller.js';
import { IdentityProvider } from './open-id/identity-provider.js';
import { OpenIdController } from './open-id/open-id.controller.js';
import { OwnerLink } from './owner-link.js';
import { LoginController } from './pages/login.controller.js';
import { OwnerLinkController } from './pages/owner-link.controller.js';
import { BrowserSignIn } from './sessions/browser-sign-in.js';
import { PasswordSignIn } from './sessions/password-sign-in.js';
import { SessionAuthenticator } from './sessions/session-authenticator.js';
import { SessionController } from './sessions/session.controller.js';
import { Sessions } from './sessions/sessions.js';
import { SignedInKeys } from './signed-in-keys.js';

/** Signing in. */
export const signIn = defineFeature({
  name: 'sign-in',
  controllers: [LoginController, OpenIdController, OwnerLinkController, SessionController, TrustedSignInController],
  providers: [BrowserSignIn, IdentityProvider, OwnerLink, PasswordSignIn, SessionAuthenticator, Sessions, SignedInKeys],
});

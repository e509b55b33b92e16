export { jwtKeyOf } from './jwt/jwt-key.js';
export { externalLoginOf } from './open-id/external-login.js';
export type { OpenIdSettings } from './open-id/open-id-settings.js';
export { OwnerLink } from './owner-link.js';
export { BrowserSignIn } from './sessions/browser-sign-in.js';
export { SessionAuthenticator } from './sessions/session-authenticator.js';
export { signIn } from './sign-in.feature.js';
export { SignInSettings } from './sign-in-settings.js';

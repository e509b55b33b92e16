/** Where signing in with OpenID Connect begins. */
export const SIGN_IN_PATH = '/accounts/login/social/oidc';
/** Clients know another address for people without an account; it leads to the same page. */
export const REGISTER_PATH = '/accounts/register/social/oidc';
/** Where the identity provider sends browsers back to; to be registered there. */
export const COMPLETE_PATH = '/complete/oidc';

import type { ExternalLogin } from '#realm/model';
import { REGISTER_PATH, SIGN_IN_PATH } from '../pages/open-id-path.js';
import type { OpenIdSettings } from './open-id-settings.js';

/** The identity provider as clients offer it. */
export function externalLoginOf({ name }: OpenIdSettings): ExternalLogin {
  return {
    name: 'oidc',
    display_name: name,
    display_icon: null,
    login_url: SIGN_IN_PATH,
    signup_url: REGISTER_PATH,
  };
}

import type { OpenIdSettings } from './open-id/open-id-settings.js';
import type { JwtKey } from './jwt/jwt-key.js';

/** What the operator has set up for signing in, besides passwords. */
export class SignInSettings {
  constructor(
    /** Verifies tokens that another system signs; undefined when none is trusted. */
    readonly jwtKey: JwtKey | undefined,
    /** The identity provider of OpenID Connect; undefined when there is none. */
    readonly openId: OpenIdSettings | undefined,
  ) {}
}

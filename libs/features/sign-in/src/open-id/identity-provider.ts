import { Injectable } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { Refusal, ServiceReports } from '#kernel';
import { Site } from '#realm/model';
import { SignInSettings } from '../sign-in-settings.js';
import { COMPLETE_PATH } from '../pages/open-id-path.js';

/** Name of the service for the operator. */
const PROVIDER = 'identity provider';
/** Of each request to the provider. */
const TIMEOUT_SECONDS = 10;

/** What proves that an answer of the provider belongs to the browser that asked. */
export interface Secrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export function newSecrets(): Secrets {
  return { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
}

/** The identity provider of the organization, by OpenID Connect: code flow with PKCE. */
@Injectable()
export class IdentityProvider {
  #configuration: Promise<Configuration> | undefined;

  constructor(
    private readonly settings: SignInSettings,
    private readonly site: Site,
    private readonly reports: ServiceReports,
  ) {}

  /**
   * Where a browser is sent to sign in.
   * @throws Refusal SERVER_NOT_READY
   */
  async signInAddress({ state, nonce, verifier }: Secrets): Promise<string> {
    const configuration = await this.#discovered();
    const address = buildAuthorizationUrl(configuration, {
      redirect_uri: `${this.site.url}${COMPLETE_PATH}`,
      scope: 'openid email profile',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return address.href;
  }

  /**
   * The address of the person who has signed in there, which the provider has verified.
   * @param query of the address to which the browser was sent back
   * @throws Refusal AUTHENTICATION_FAILED, SERVER_NOT_READY
   */
  async verifiedEmail(query: string, { state, nonce, verifier }: Secrets): Promise<string> {
    const configuration = await this.#discovered();
    const claims = await this.#claims(configuration, query, { state, nonce, verifier });
    const { email, email_verified: isVerified } = claims;
    if (typeof email !== 'string' || isVerified !== true)
      throw failed('The identity provider has not verified an e-mail address of yours.');
    return email;
  }

  async #claims(configuration: Configuration, query: string, { state, nonce, verifier }: Secrets) {
    const back = new URL(`${this.site.url}${COMPLETE_PATH}?${query}`);
    try {
      const tokens = await authorizationCodeGrant(configuration, back, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw failed(NOT_SIGNED_IN);
      // Providers may give the address with the token, or when they are asked for it.
      return claims['email'] === undefined
        ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
        : claims;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      this.reports.failed(PROVIDER, error);
      throw failed(NOT_SIGNED_IN);
    }
  }

  /** What the provider says of itself, asked for once. */
  async #discovered(): Promise<Configuration> {
    const { openId } = this.settings;
    if (openId === undefined) throw failed('OpenID Connect is not set up.');
    const { issuer, clientId, clientSecret } = openId;
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the setting allows such an issuer on this machine alone
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
    this.#configuration ??= discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute,
      timeout: TIMEOUT_SECONDS,
    });
    try {
      return await this.#configuration;
    } catch (error) {
      this.#configuration = undefined;
      this.reports.failed(PROVIDER, error);
      throw new Refusal('SERVER_NOT_READY', 'The identity provider cannot be reached. Please try again in a moment.');
    }
  }
}

const NOT_SIGNED_IN = 'Signing in was not completed. Please try again.';

function failed(message: string): Refusal {
  return new Refusal('AUTHENTICATION_FAILED', message);
}

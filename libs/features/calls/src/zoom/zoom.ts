import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  Configuration,
  customFetch,
  refreshTokenGrant,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { badRequest, type Refusal, ServiceReports, textUpTo } from '#kernel';
import type { ZoomTokens } from './token-seal.js';

/** Timeout of a request to Zoom. */
const TIMEOUT_SECONDS = 10;
/** Answers have a few thousand bytes. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** Maximum length of a link; a longer one does not fit into a message. */
const LINK_LENGTH_MAX = 2_000;
/** Lifespan of an access token, when Zoom names none. */
const LIFESPAN_SECONDS = 3_600;

export interface ZoomSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where people sign in, and tokens come from; without a slash at its end. */
  readonly oauthUrl: string;
  /** Where meetings are made; without a slash at its end. */
  readonly apiUrl: string;
}

/** Name of the service for the operator. */
const ZOOM = 'Zoom';

/** Zoom answers with an error, or without the link to a meeting. */
class UnexpectedAnswer extends Error {
  constructor(readonly status: number) {
    super('Zoom has given no link.');
    this.name = 'UnexpectedAnswer';
  }
}

/** Zoom does not accept the tokens of an account. */
export class ZoomTokenRefused extends Error {
  constructor() {
    super('Zoom refuses the tokens of an account.');
    this.name = 'ZoomTokenRefused';
  }
}

/** Zoom's interface: OAuth with the code flow and PKCE, and meetings. */
export class Zoom {
  readonly #configuration: Configuration;

  constructor(
    private readonly settings: ZoomSettings,
    private readonly reports = new ServiceReports(),
    private readonly timeoutSeconds = TIMEOUT_SECONDS,
  ) {
    const { oauthUrl, clientId, clientSecret } = settings;
    this.#configuration = new Configuration(
      {
        issuer: oauthUrl,
        authorization_endpoint: `${oauthUrl}/oauth/authorize`,
        token_endpoint: `${oauthUrl}/oauth/token`,
      },
      clientId,
      {},
      ClientSecretBasic(clientSecret),
    );
    this.#configuration.timeout = timeoutSeconds;
    this.#configuration[customFetch] = (address, options) => limitedFetch(address, options as RequestInit);
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the setting allows such an address on this machine alone
    if (oauthUrl.startsWith('http:')) allowInsecureRequests(this.#configuration);
  }

  /** Where a browser is sent to sign in and to allow calls. */
  async signInAddress(redirectUri: string, { state, verifier }: ZoomSignIn): Promise<string> {
    const address = buildAuthorizationUrl(this.#configuration, {
      redirect_uri: redirectUri,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    });
    return address.href;
  }

  /**
   * Tokens for a browser that was sent back.
   * @param back the whole address, with its query
   * @throws Refusal BAD_REQUEST when Zoom has not given any
   */
  async tokensFor(back: string, { state, verifier }: ZoomSignIn, nowSeconds: number): Promise<ZoomTokens> {
    try {
      const checks = { expectedState: state, pkceCodeVerifier: verifier };
      return tokensIn(await authorizationCodeGrant(this.#configuration, new URL(back), checks), nowSeconds);
    } catch (error) {
      this.reports.failed(ZOOM, error);
      throw badRequest('Invalid Zoom credentials');
    }
  }

  /**
   * New tokens in place of expired ones.
   * @throws ZoomTokenRefused; Refusal BAD_REQUEST when Zoom cannot be reached, or is wrong
   */
  async refreshed({ refreshToken }: ZoomTokens, nowSeconds: number): Promise<ZoomTokens> {
    try {
      return tokensIn(await refreshTokenGrant(this.#configuration, refreshToken), nowSeconds, refreshToken);
    } catch (error) {
      if (refusesToken(error)) throw new ZoomTokenRefused();
      throw this.#failedToCreate(error);
    }
  }

  /**
   * Creates a meeting that anyone with its link can join.
   * @returns the link
   * @throws ZoomTokenRefused; Refusal BAD_REQUEST
   */
  async createMeeting({ accessToken }: ZoomTokens, isVideoCall: boolean): Promise<string> {
    let response: Response, answer: { readonly join_url?: unknown } | null | undefined;
    try {
      response = await limitedFetch(`${this.settings.apiUrl}/v2/users/me/meetings`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        // Everybody may still choose otherwise for themselves.
        body: JSON.stringify({
          settings: { host_video: isVideoCall, participant_video: isVideoCall },
          default_password: true,
        }),
        signal: AbortSignal.timeout(this.timeoutSeconds * 1_000),
      });
      if (response.ok) answer = (await response.json()) as typeof answer;
    } catch (error) {
      throw this.#failedToCreate(error);
    }
    if (response.status === 401) throw new ZoomTokenRefused();
    const link = answer?.join_url;
    if (typeof link !== 'string' || !isLink(link)) throw this.#failedToCreate(new UnexpectedAnswer(response.status));
    return link;
  }

  #failedToCreate(error: unknown): Refusal {
    this.reports.failed(ZOOM, error);
    return badRequest('Failed to create Zoom call');
  }
}

/** What proves that an answer of Zoom belongs to the browser that asked. */
export interface ZoomSignIn {
  readonly state: string;
  readonly verifier: string;
}

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
}

/** @param before stays in use when Zoom gives no other one */
function tokensIn(answer: TokenAnswer, nowSeconds: number, before?: string): ZoomTokens {
  const { access_token: accessToken, refresh_token: refreshToken = before, expires_in = LIFESPAN_SECONDS } = answer;
  if (refreshToken === undefined) throw new TypeError('Zoom gave no token to refresh the others with.');
  return { accessToken, refreshToken, expiresAt: nowSeconds + Math.floor(expires_in) };
}

/** Whether the user has to connect the account again; errors about the server's own credentials are for the operator. */
function refusesToken(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return !['invalid_client', 'unauthorized_client'].includes(error.error);
  return error instanceof WWWAuthenticateChallengeError && error.status === 401;
}

/** Follows no redirects, which would hand tokens on, and stops reading an answer that is too long. */
async function limitedFetch(address: string, options: RequestInit): Promise<Response> {
  const { body, status, headers } = await fetch(address, { ...options, redirect: 'manual' });
  const text =
    body === null ? '' : await textUpTo(ANSWER_BYTES_MAX, body, () => new Error("Zoom's answer is too long."));
  return new Response(text === '' ? null : text, { status, headers });
}

function isLink(text: string): boolean {
  return text.length <= LINK_LENGTH_MAX && /^https?:\/\/[\x21-\x7e]+$/.test(text) && URL.canParse(text);
}

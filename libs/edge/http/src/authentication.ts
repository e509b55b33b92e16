import { badRequest, notLoggedIn, Refusal } from '#kernel';

/** Sender of the request. A feature's `Viewer` is one. */
export interface Caller {
  readonly userId: number;
  /** Owner of a bot, for whom its calls count as well; null and undefined for none. */
  readonly botOwnerId?: number | null;
  /** Null and undefined for people. */
  readonly botType?: number | null;
  /** The key of the account. */
  readonly apiKey?: { readonly generation: number };
}

/** An open session of a browser. */
export interface SessionOfCaller {
  readonly caller: Caller;
  /** Set when the browser has to be told that the session lasts this long from now on. */
  readonly prolongedSeconds?: number | undefined;
}

/**
 * Finds the caller by login name (delivery or API e-mail, compared regardless of case) and API key.
 * @throws Refusal `INVALID_API_KEY`, `USER_DEACTIVATED`, `REALM_DEACTIVATED`
 */
export abstract class Authenticator {
  abstract authenticate(loginName: string, apiKey: string): Caller | Promise<Caller>;

  /**
   * The caller as of now, whom the same credentials proved before; undefined when something has changed since, so that they have to be
   * checked again. @throws as `authenticate`
   */
  recognize(_caller: Caller): Caller | undefined {
    return undefined;
  }

  /** The caller with this key, where a client cannot name the account: in the address of a file. @throws as `authenticate` */
  authenticateKey(_apiKey: string): Caller | Promise<Caller> {
    throw new Refusal('INVALID_API_KEY', 'Invalid API key');
  }

  /** The caller whose browser has this session token; undefined when the session has ended. */
  authenticateSession(_token: string): Promise<SessionOfCaller | undefined> | undefined {
    return undefined;
  }

  /** Whether the caller may do nothing but send messages: an incoming webhook bot (rules.md §1). */
  isWriteOnly(_caller: Caller): boolean {
    return false;
  }
}

export interface Credentials {
  readonly loginName: string;
  readonly apiKey: string;
}

const BASIC = /^basic +([a-z0-9+/_-]+={0,2}) *$/i;

/** Reads a Basic header. @throws Refusal `UNAUTHORIZED` when it is missing or malformed, `BAD_REQUEST` for another scheme. */
export function readCredentials(authorization: string | undefined): Credentials {
  if (authorization === undefined || authorization === '') throw notLoggedIn();
  const token = BASIC.exec(authorization)?.[1];
  if (token === undefined) {
    if (/^basic(?: |$)/i.test(authorization)) throw malformed();
    throw badRequest('This endpoint requires HTTP basic authentication.');
  }
  const decoded = Buffer.from(token, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon === -1) throw malformed();
  return { loginName: decoded.slice(0, colon), apiKey: decoded.slice(colon + 1) };
}

const BEARER = /^bearer +([\w.~+/=-]+) *$/i;

/** The token of a Bearer header; undefined for another scheme. */
export function readBearer(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}

function malformed(): Refusal {
  return new Refusal('UNAUTHORIZED', 'Invalid authorization header for basic auth');
}

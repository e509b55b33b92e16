import { badRequest, notLoggedIn, Refusal } from '#kernel';
import { readOnly } from '#event-store';
import type { EdgeReply, EdgeRequest } from './exchange.js';
import type { Door, DoorClass, RoutePolicy } from './access.js';
import { type Authenticator, type Caller, readBearer, readCredentials } from './authentication.js';
import type { CallLimits } from './limits/rate-limits.js';
import { Cookies, SESSION_COOKIE } from './pages/cookies.js';
import { assertFromOwnPage, CSRF_FIELD } from './pages/csrf.js';
import { keepSession } from './pages/session.js';
import type { RawParams } from './params/raw-params.js';
import { knownCaller, rememberCaller } from './known-callers.js';
import { sessionIdOf } from './http-origin.js';
import { contextOf } from './request-context.js';

export interface AdmissionParts {
  readonly callLimits: CallLimits;
  /** Available once the application is built. */
  readonly authenticator: () => Authenticator;
  /** Available once the application is built. */
  readonly door: (door: DoorClass) => Door;
  /** See `HttpOptions.operator`. */
  readonly operator: (token: string) => Promise<Caller | undefined>;
  /** Where clients reach the server. */
  readonly siteUrl: () => string;
  /** See `HttpOptions.readOnly`. */
  readonly isReadOnly: boolean;
  /** See `HttpOptions.current`. */
  readonly current: () => Promise<void> | undefined;
}

/** Whose session a page takes it for: somebody else may have signed in with the browser since, in another tab. */
const SESSION_USER_HEADER = 'x-session-user';

/** Methods of routes that change nothing. */
const QUESTIONS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export type Done = (error?: Error) => void;

/** Deny by default: authenticates, checks access, and applies rate limits. */
export function admission(
  parts: AdmissionParts,
  policy: RoutePolicy,
): (request: EdgeRequest, reply: EdgeReply, done: Done) => void {
  const door = new Admission(parts, policy);
  return (request, reply, done) => {
    contextOf(request).policy = policy;
    // Who may not know of a hidden route is answered as on an unknown path, on this server as on others.
    if (policy.hiddenBy === undefined && isReadOnlyFor(request, parts, policy)) {
      done(readOnly());
      return;
    }
    // Other routes without a rate limit are for machines that check this process, not its data.
    const pending = policy.limited || policy.servesFiles ? parts.current() : undefined;
    if (pending === undefined) {
      door.admit(request, reply, done);
      return;
    }
    pending.then(() => {
      door.admit(request, reply, done);
    }, done);
  };
}

/** Admits the requests of one route. */
class Admission {
  constructor(
    private readonly parts: AdmissionParts,
    private readonly policy: RoutePolicy,
  ) {}

  admit(request: EdgeRequest, reply: EdgeReply, done: Done): void {
    const token = this.policy.access === 'public' ? undefined : this.#sessionToken(request, reply);
    if (token === undefined) {
      this.#admitByKey(request, reply, done);
      return;
    }
    this.#admitBySession(request, reply, token).then((isAdmitted) => {
      if (isAdmitted) done();
      else this.#admitByKey(request, reply, done);
    }, done);
  }

  #admitByKey(request: EdgeRequest, reply: EdgeReply, done: Done): void {
    const { access, isPage, servesFiles } = this.policy;
    // Credentials that a browser adds to every request prove nothing on a page.
    const authorization = isPage ? undefined : request.headers.authorization;
    const key = servesFiles && authorization === undefined ? keyInQuery(request) : undefined;
    const token = this.policy.takesOperator ? readBearer(authorization) : undefined;
    if (token !== undefined) {
      this.#admitOperator(request, reply, token).then(done, done);
      return;
    }
    const mayBeAnonymous = access === 'optional' && !this.#isForUser(request);
    if (access === 'public' || (mayBeAnonymous && authorization === undefined && key === undefined)) {
      done(this.#charge(request, reply, undefined));
      return;
    }
    let refused: Error | undefined;
    try {
      const caller = this.#authenticate(request, authorization, key);
      if (caller instanceof Promise) {
        caller
          .then(
            (found) => this.#accept(request, reply, found),
            (error: unknown) => this.#refuse(request, reply, asError(error)),
          )
          .then(done, done);
        return;
      }
      refused = this.#accept(request, reply, caller);
    } catch (error) {
      refused = this.#refuse(request, reply, asError(error));
    }
    done(refused);
  }

  #authenticate(
    { raw }: EdgeRequest,
    authorization: string | undefined,
    key: string | undefined,
  ): Caller | Promise<Caller> {
    const authenticator = this.parts.authenticator();
    if (key !== undefined) return authenticator.authenticateKey(key);
    const known = knownCaller(raw.socket, authorization);
    const again = known === undefined ? undefined : authenticator.recognize(known);
    if (again !== undefined) return again;
    const { loginName, apiKey } = readCredentials(authorization);
    const caller = authenticator.authenticate(loginName, apiKey);
    if (!(caller instanceof Promise)) rememberCaller(raw.socket, authorization, caller);
    return caller;
  }

  /** The operator's calls are not limited: they are the way out when others use up what there is. */
  async #admitOperator(request: EdgeRequest, reply: EdgeReply, token: string): Promise<Error | undefined> {
    const operator = await this.parts.operator(token);
    if (operator === undefined)
      return this.#refuse(request, reply, new Refusal('INVALID_API_KEY', 'Invalid operator token'));
    const edge = contextOf(request);
    edge.caller = operator;
    edge.isOperator = true;
    return undefined;
  }

  /** @returns false when the session has ended, and when it is not that of the user whom the page names */
  async #admitBySession(request: EdgeRequest, reply: EdgeReply, token: string): Promise<boolean> {
    const session = await this.parts.authenticator().authenticateSession(token);
    if (session === undefined) return false;
    const expected = sessionUserOf(request);
    if (expected !== '' && expected !== String(session.caller.userId)) return false;
    const edge = contextOf(request);
    edge.sessionId = sessionIdOf(token);
    if (session.prolongedSeconds !== undefined && edge.cookies !== undefined)
      keepSession(edge.cookies, token, session.prolongedSeconds);
    const refused = this.#accept(request, reply, session.caller);
    if (refused !== undefined) throw refused;
    return true;
  }

  /** Whether the page that calls has a user, who must not get the answer for anonymous callers. */
  #isForUser(request: EdgeRequest): boolean {
    const { isPage, forOwnPages } = this.policy;
    return !isPage && !forOwnPages && sessionUserOf(request) !== '';
  }

  /** The session token of a browser that sends no other credentials. */
  #sessionToken(request: EdgeRequest, reply: EdgeReply): string | undefined {
    const cookies = new Cookies(request, reply, this.parts.siteUrl().startsWith('https:'));
    contextOf(request).cookies = cookies;
    return this.policy.isPage || request.headers.authorization === undefined ? cookies.get(SESSION_COOKIE) : undefined;
  }

  #accept(request: EdgeRequest, reply: EdgeReply, caller: Caller): Error | undefined {
    const edge = contextOf(request);
    const { hiddenBy } = this.policy;
    if (hiddenBy !== undefined && !this.parts.door(hiddenBy).admits(caller))
      return this.#refuse(request, reply, notThere());
    if (hiddenBy !== undefined && isReadOnlyFor(request, this.parts, this.policy)) return readOnly();
    edge.caller = caller;
    const charge = (): Error | undefined => this.#charge(request, reply, caller);
    // What is refused before the handler is not free.
    if (this.policy.countsCalls) edge.count = charge;
    const isAllowed = this.policy.takesWriteOnly || !this.parts.authenticator().isWriteOnly(caller);
    const limited = isAllowed && this.policy.countsCalls ? undefined : charge();
    if (limited !== undefined || isAllowed) return limited;
    return badRequest('This API is not available to incoming webhook bots.');
  }

  /** A wrong key counts as a call without credentials, so guessing is limited by address. */
  #refuse(request: EdgeRequest, reply: EdgeReply, error: Error): Error | undefined {
    const limited = this.#charge(request, reply, undefined);
    if (limited !== undefined || this.policy.hiddenBy === undefined) return limited ?? error;
    contextOf(request).isHidden = true;
    return undefined;
  }

  #charge(request: EdgeRequest, reply: EdgeReply, caller: Caller | undefined): Error | undefined {
    const { address, overriddenForm } = contextOf(request);
    if (!this.policy.limited || overriddenForm !== undefined) return undefined;
    const { callLimits } = this.parts;
    const budget = caller === undefined ? callLimits.takeForAddress(address) : callLimits.takeForUser(caller);
    return callLimits.spend(reply, budget);
  }
}

/** ID of the user whom the page names; empty before it knows. */
function sessionUserOf({ headers }: EdgeRequest): string {
  return String(headers[SESSION_USER_HEADER] ?? '');
}

/** Whether the request might record something on a server that records nothing. */
function isReadOnlyFor({ method }: EdgeRequest, { isReadOnly }: AdmissionParts, policy: RoutePolicy): boolean {
  return isReadOnly && !policy.recordsNothing && !QUESTIONS.has(method);
}

/** The answer of a path that does not exist. */
export function notThere(): Refusal {
  return new Refusal('NOT_FOUND', 'Not found');
}

function keyInQuery({ query }: EdgeRequest): string | undefined {
  return (query as RawParams | null | undefined)?.['api_key'];
}

/** Refuses what another site makes a browser send. */
export function protection({ siteUrl }: AdmissionParts) {
  return (request: EdgeRequest, _reply: EdgeReply, done: Done): void => {
    const edge = contextOf(request);
    const { isPage, forOwnPages } = edge.policy;
    if (edge.cookies === undefined || !(isPage || forOwnPages || edge.sessionId !== undefined)) {
      done();
      return;
    }
    try {
      assertFromOwnPage(request, edge.cookies, edge.given()[CSRF_FIELD], siteUrl());
    } catch (error) {
      done(asError(error));
      return;
    }
    done();
  };
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : notLoggedIn();
}

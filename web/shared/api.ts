/** Calls of the interface with the browser's session. */
import { SessionTransport, type Outcome } from '#client';
import { words } from './words.js';

/** Why a call had no success. `message` is for the reader. */
export type FailureKind = 'refused' | 'signed-out' | 'offline' | 'busy';

export class ApiFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly code = '',
  ) {
    super(message);
  }
}

export interface Session {
  readonly signed_in: boolean;
  readonly user_id: number | null;
  readonly csrf_token: string;
}

export type Params = Readonly<Record<string, unknown>>;
export type Verb = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Without it a browser asks for a name and a password by itself when the session has ended. */
export const SCRIPT_HEADER = ['x-requested-with', 'fetch'] as const;

/** The one way to the server: with the session of the browser. */
export const transport: SessionTransport = new SessionTransport({
  site: '',
  fetch: (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set(...SCRIPT_HEADER);
    // In the session of anybody else, nothing is answered.
    headers.set('x-session-user', String(transport.account ?? ''));
    return fetch(input, { ...init, headers, cache: 'no-store' });
  },
});

/** Gets an event when a call was refused because the reader is no longer signed in. */
export const sessionEnd = new EventTarget();

/** Gets an event when the server answers again. */
export const reconnection = new EventTarget();

/** Who is signed in, and the token that calls need which change something. */
export const askSession = (): Promise<Session> => call<Session>('GET', '/session');

/**
 * The token for a change that `call` cannot carry.
 * @throws ApiFailure also when the session is no longer the reader's
 */
export async function askOwnToken(): Promise<string> {
  const { user_id: userId, csrf_token: token } = await askSession();
  if (userId !== transport.account) throw signedOut(words.signInAgain);
  return token;
}

/** Over the session of whomever it is: who signs in says who they are. */
export async function signIn(username: string, password: string): Promise<Session> {
  const { csrf_token: token } = await askSession();
  const headers = { 'x-csrftoken': token };
  const params = { username, password };
  return bodyOf(await transport.send({ method: 'POST', path: '/session', params, headers })) as unknown as Session;
}

export async function signOut(): Promise<void> {
  await call('DELETE', '/session');
}

/**
 * @param params values that are not text go as JSON; undefined ones are left out
 * @throws ApiFailure
 */
export async function call<Answer = Params>(
  method: Verb,
  path: string,
  params: Params = {},
  signal?: AbortSignal,
): Promise<Answer> {
  return bodyOf(await transport.send({ method, path, params, ...(signal !== undefined && { signal }) })) as Answer;
}

function bodyOf(outcome: Outcome): Params {
  if (outcome.kind === 'ok') return outcome.body;
  throw failureOf(outcome);
}

function failureOf(outcome: Exclude<Outcome, { readonly kind: 'ok' }>): ApiFailure {
  if (outcome.kind === 'lost') return new ApiFailure('offline', words.lost);
  if (outcome.kind === 'later')
    return new ApiFailure('busy', outcome.status === 429 ? words.tooMany : words.serverBusy);
  const { status, message, code } = outcome;
  return status === 401 ? signedOut(message, code) : new ApiFailure('refused', message, code);
}

function signedOut(message: string, code?: string): ApiFailure {
  sessionEnd.dispatchEvent(new Event('end'));
  return new ApiFailure('signed-out', message, code);
}

/** What to tell the reader of a failure. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

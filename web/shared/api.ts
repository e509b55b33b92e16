/** Calls of the interface with the browser's session. */
import { words } from './words.js';

/** Why a call had no success. `message` is for the reader. */
export type FailureKind = 'refused' | 'signed-out' | 'offline' | 'busy' | 'no-answer';

export class ApiFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly code = '',
    readonly data: Readonly<Record<string, unknown>> = {},
    /** How long the server asks to wait; undefined when it does not say. */
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

export interface Session {
  readonly signed_in: boolean;
  readonly user_id: number | null;
  readonly csrf_token: string;
  /** Seconds since the epoch. */
  readonly ends_at: number | null;
}

export type Params = Readonly<Record<string, unknown>>;
export type Verb = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

const ROOT = '/api/v1';
/** A call that takes longer is given up; polls say their own. */
const WITHIN_MS = 30_000;

let csrfToken: string | undefined;

/** Who is signed in, and the token that calls need which change something. */
export async function askSession(): Promise<Session> {
  const session = await once<Session>('GET', '/session', {}, {});
  csrfToken = session.csrf_token;
  return session;
}

export async function signIn(username: string, password: string): Promise<Session> {
  const session = await call<Session>('POST', '/session', { username, password });
  csrfToken = session.csrf_token;
  return session;
}

export async function signOut(): Promise<void> {
  await call('DELETE', '/session');
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly withinMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form with files, in place of parameters. */
  readonly form?: FormData;
}

/**
 * @param params values that are not text go as JSON; undefined ones are left out
 * @throws ApiFailure
 */
export async function call<Answer = Params>(
  verb: Verb,
  path: string,
  params: Params = {},
  options: CallOptions = {},
): Promise<Answer> {
  if (verb !== 'GET' && csrfToken === undefined) await askSession();
  try {
    return await once<Answer>(verb, path, params, options);
  } catch (error) {
    // Another tab has signed in, which renews the token.
    if (!(error instanceof ApiFailure) || error.code !== 'CSRF_FAILED') throw error;
    await askSession();
    return once<Answer>(verb, path, params, options);
  }
}

async function once<Answer>(verb: Verb, path: string, params: Params, options: CallOptions): Promise<Answer> {
  const form = encode(params);
  const isQuery = verb === 'GET' || verb === 'DELETE';
  const deadline = AbortSignal.timeout(options.withinMs ?? WITHIN_MS);
  const signal = options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline]);
  let answer: Response;
  try {
    answer = await fetch(`${ROOT}${path}${isQuery && form.size > 0 ? `?${form.toString()}` : ''}`, {
      method: verb,
      credentials: 'same-origin',
      cache: 'no-store',
      signal,
      headers: {
        ...options.headers,
        // Otherwise a browser asks for a name and a password by itself when the session has ended.
        'x-requested-with': 'fetch',
        ...(verb !== 'GET' && csrfToken !== undefined && { 'x-csrftoken': csrfToken }),
      },
      ...(!isQuery && { body: options.form ?? form }),
    });
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new ApiFailure('offline', words.offline);
  }
  return read<Answer>(answer);
}

function encode(params: Params): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}

async function read<Answer>(answer: Response): Promise<Answer> {
  let body: unknown;
  try {
    body = await answer.json();
  } catch {
    throw new ApiFailure(answer.status >= 500 ? 'busy' : 'no-answer', words.notAnAnswer);
  }
  if (answer.ok) return body as Answer;
  const { code = '', msg = '', ...data } = (body ?? {}) as { readonly code?: string; readonly msg?: string };
  throw new ApiFailure(kindOf(answer.status), msg, code, data, retryAfterOf(answer));
}

function kindOf(status: number): FailureKind {
  if (status === 401) return 'signed-out';
  if (status === 429 || status >= 500) return 'busy';
  return 'refused';
}

function retryAfterOf(answer: Response): number | undefined {
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** What to tell the reader of a failure. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiFailure) return error.message;
  return error instanceof Error ? error.message : String(error);
}

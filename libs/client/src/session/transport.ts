import type { Fields } from '../wire/types.js';

/** A call of the interface. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
  /** Below `/api/v1`, such as `/messages`. */
  readonly path: string;
  /** Those that are not texts are sent as JSON; undefined ones are not sent. */
  readonly params?: Fields;
  readonly headers?: Readonly<Record<string, string>>;
  /** After this time without an answer it is lost. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The outcome of a call. None throws. */
export type Outcome<Body = Fields> =
  | { readonly kind: 'ok'; readonly body: Body }
  /** The server's own refusal, a 4xx. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly body: Fields;
      readonly afterMs?: undefined;
    }
  /** Too many calls (429), or the server is not ready (503): to be repeated after the time that it names. */
  | { readonly kind: 'later'; readonly status: number; readonly afterMs: number | undefined }
  /** Whether it was done is not known: no connection, no answer in time, or one that is no answer of the server. */
  | { readonly kind: 'lost'; readonly reason: string; readonly afterMs?: undefined };

export type FailedOutcome = Exclude<Outcome, { kind: 'ok' }>;

/** Carries calls to the server. */
export interface Transport {
  send(call: Call): Promise<Outcome>;
}

/** What the transport needs of the global `fetch`. */
export type Fetch = typeof fetch;

export interface FetchTransportOptions {
  /** Address of the server, without a slash at the end; empty in a page of the server. */
  readonly site: string;
  /** The account's e-mail address and API key. */
  readonly credentials?: { readonly email: string; readonly apiKey: string };
  readonly userAgent?: string;
  readonly fetch?: Fetch;
}

const TIMEOUT_MS = 30_000;

/** Calls over `fetch`, by an API key; without one, of nobody, or in the session of the browser (`SessionTransport`). */
export class FetchTransport implements Transport {
  constructor(private readonly options: FetchTransportOptions) {}

  async send(call: Call): Promise<Outcome> {
    const { site, credentials, userAgent, fetch: carry = fetch } = this.options;
    const { method, path, timeoutMs = TIMEOUT_MS, signal } = call;
    const form = formOf(call.params ?? {});
    const isInQuery = method === 'GET';
    const query = isInQuery ? form.toString() : '';
    try {
      const response = await carry(`${site}/api/v1${path}${query && `?${query}`}`, {
        method,
        headers: {
          ...(credentials && { authorization: basic(credentials.email, credentials.apiKey) }),
          ...(userAgent !== undefined && { 'user-agent': userAgent }),
          ...call.headers,
        },
        ...(!isInQuery && { body: form }),
        // With a key, a cookie that is there by chance proves nothing.
        credentials: credentials ? 'omit' : 'same-origin',
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      });
      return outcomeOf(response.status, response.headers.get('retry-after'), await response.text());
    } catch (error) {
      return lost(error instanceof Error ? error.message : String(error));
    }
  }
}

/** What an answer means. A page of a proxy, and JSON that is cut, are no answers of the server. */
export function outcomeOf(status: number, retryAfter: string | null, text: string): Outcome {
  const body = jsonIn(text);
  const seconds = Number(body?.['retry-after'] ?? retryAfter ?? NaN);
  const afterMs = Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
  if (status === 429 || status === 503) return { kind: 'later', status, afterMs };
  if (status === 200 && body?.['result'] === 'success') return { kind: 'ok', body };
  if (status < 500 && body?.['result'] === 'error')
    return { kind: 'refused', status, code: String(body['code']), message: String(body['msg']), body };
  return lost(`${status}: ${body?.['result'] === 'error' ? String(body['msg']) : 'no answer of the server'}`);
}

function lost(reason: string): Outcome {
  return { kind: 'lost', reason };
}

/** What is no object has none of the fields that are asked for either. */
function jsonIn(text: string): Fields | null | undefined {
  try {
    return JSON.parse(text) as Fields | null;
  } catch {
    return undefined;
  }
}

function formOf(params: Fields): URLSearchParams {
  return new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  );
}

function basic(email: string, apiKey: string): string {
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

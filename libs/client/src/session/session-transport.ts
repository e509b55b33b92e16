import { type Call, FetchTransport, type FetchTransportOptions, type Outcome, type Transport } from './transport.js';

const SESSION: Call = { method: 'GET', path: '/session' };

interface SessionAnswer {
  /** Null when nobody is signed in. */
  readonly user_id?: number | null;
  readonly csrf_token?: string;
}

/**
 * Calls with the session of the browser and its token. All tabs share that session, and it may become another account's: the token of
 * such a session is not taken, and without it the server refuses what changes something.
 */
export class SessionTransport implements Transport {
  /** Whose session it acts in: the first account that the server names, unless it is set before. */
  account: number | null | undefined;
  /** Of a session of the account, or of nobody's. */
  #csrfToken: string | undefined;
  readonly #inner: FetchTransport;

  constructor(options: Omit<FetchTransportOptions, 'credentials'>) {
    this.#inner = new FetchTransport(options);
  }

  async send(call: Call): Promise<Outcome> {
    if (call.method === 'GET') return this.#once(call);
    if (this.#csrfToken === undefined) await this.#once(SESSION);
    const outcome = await this.#once(call);
    // Another tab has signed in: its token is another one.
    if (outcome.kind !== 'refused' || outcome.code !== 'CSRF_FAILED') return outcome;
    await this.#once(SESSION);
    // For somebody else, nobody is signed in.
    return this.#csrfToken === undefined ? { ...outcome, status: 401 } : this.#once(call);
  }

  async #once(call: Call): Promise<Outcome> {
    const token = call.method === 'GET' ? undefined : this.#csrfToken;
    const headers = { ...(token !== undefined && { 'x-csrftoken': token }), ...call.headers };
    const outcome = await this.#inner.send({ ...call, headers });
    // Signing in and out change the token, and tell it.
    if (call.path === SESSION.path && outcome.kind === 'ok') {
      const { csrf_token: told, user_id: userId } = outcome.body as SessionAnswer;
      this.account ??= userId;
      this.#csrfToken = (userId ?? this.account) === this.account ? told : undefined;
    }
    return outcome;
  }
}

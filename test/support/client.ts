import type { OutgoingHttpHeaders, RequestOptions } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ask, headersOf } from '#testing';
import { recordKinds } from './client-event-kinds.js';
import { expectOfLevel } from './reader/index.js';

/** Answer of an endpoint. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: any;
}

type Parameters = Readonly<Record<string, unknown>>;

/** Node sets no length for DELETE. */
const formHeaders = (body: string): OutgoingHttpHeaders => ({
  'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
  'content-length': Buffer.byteLength(body),
});

/** The answer to a request, of which the text alone is read. */
export async function answerTo(url: string, options: RequestOptions, body = ''): Promise<Omit<Answer, 'body'>> {
  const response = await ask(url, options, body);
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    response.on('end', () => resolve(received)).on('error', reject);
  });
  return {
    status: response.statusCode ?? 0,
    // Few look at them.
    get headers() {
      return headersOf(response);
    },
    text,
  };
}

/** Guards against hanging only. */
const BUSY_FOR_MS = 120_000;
const AGAIN_AFTER_MS = 200;

/** Whether a server that is behind has refused a request before it recorded anything. */
const isBusy = ({ status, body }: Answer): boolean =>
  status === 503 && body?.code === 'SERVER_NOT_READY' && !String(body.msg).includes('has recorded this');

/** A chat client that uses only the public interface. */
export class ApiClient {
  userId = 0;
  /** Repeats what the server is too busy for, as clients do. Specs of stores that fail look at the refusals instead. */
  isPatient = false;

  constructor(
    private readonly server: () => string,
    readonly email: string,
    readonly apiKey: string,
    readonly fullName = '',
    readonly userAgent = 'ScrollbackTest/1',
  ) {}

  /** Address of its server. */
  get site(): string {
    return this.server();
  }

  /** The same account with another client program. */
  as(userAgent: string): ApiClient {
    const client = new ApiClient(this.server, this.email, this.apiKey, this.fullName, userAgent);
    return Object.assign(client, { userId: this.userId, isPatient: this.isPatient });
  }

  /** The same account at another server. */
  at(server: () => string): ApiClient {
    const client = new ApiClient(server, this.email, this.apiKey, this.fullName, this.userAgent);
    return Object.assign(client, { userId: this.userId, isPatient: this.isPatient });
  }

  /** Any answer, including errors. Parameters other than strings are sent as JSON. */
  async call(method: string, path: string, parameters: Parameters = {}): Promise<Answer> {
    const giveUpAtMs = performance.now() + BUSY_FOR_MS;
    for (;;) {
      const answer = await this.callOnce(method, path, parameters);
      if (!this.isPatient || !isBusy(answer) || performance.now() > giveUpAtMs) return answer;
      await pause(AGAIN_AFTER_MS);
    }
  }

  private async callOnce(method: string, path: string, parameters: Parameters): Promise<Answer> {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
    const inQuery = method === 'GET' || method === 'HEAD';
    const query = inQuery && form.size > 0 ? `?${form.toString()}` : '';
    const body = form.toString();
    const answer = await answerTo(
      `${this.server()}/api/v1${path}${query}`,
      {
        method,
        headers: {
          authorization: `Basic ${Buffer.from(`${this.email}:${this.apiKey}`).toString('base64')}`,
          'user-agent': this.userAgent,
          ...(inQuery ? {} : formHeaders(body)),
        },
      },
      inQuery ? '' : body,
    );
    const { text } = answer;
    return Object.assign(answer, { body: text === '' ? undefined : JSON.parse(text) });
  }

  /** The body of a success. @throws Error for anything else */
  async ok(method: string, path: string, parameters: Parameters = {}): Promise<any> {
    const { status, body, text } = await this.call(method, path, parameters);
    if (status !== 200 || body.result !== 'success') throw new Error(`${method} ${path}: ${status} ${text}`);
    return body;
  }

  /** Sends to a channel; returns the message ID. */
  async send(channel: string | number, topic: string, content: string): Promise<number> {
    return (await this.ok('POST', '/messages', { type: 'channel', to: channel, topic, content })).id;
  }

  /** Sends a direct message; returns its ID. */
  async sendTo(users: readonly (ApiClient | number)[], content: string): Promise<number> {
    const to = users.map((user) => (typeof user === 'number' ? user : user.userId));
    return (await this.ok('POST', '/messages', { type: 'direct', to, content })).id;
  }

  subscribe(...names: string[]): Promise<any> {
    return this.ok('POST', '/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })) });
  }

  async register(parameters: Parameters = {}): Promise<TestQueue> {
    const state = await this.ok('POST', '/register', parameters);
    expectOfLevel(parameters, { state });
    return new TestQueue(this, state, parameters);
  }
}

/** A client's event queue, which acknowledges what it received. */
export class TestQueue {
  lastEventId: number;

  constructor(
    private client: ApiClient,
    /** The answer of POST /register. */
    readonly state: any,
    /** What it was registered with. */
    private readonly parameters: Parameters = {},
  ) {
    this.lastEventId = state.last_event_id;
  }

  get queueId(): string {
    return this.state.queue_id;
  }

  /** Continues polling with this client. */
  at(client: ApiClient): this {
    this.client = client;
    return this;
  }

  /** The pending events, without heartbeats. */
  async pending(): Promise<any[]> {
    return this.poll({ dont_block: true });
  }

  /** Waits for events. */
  async poll(parameters: Parameters = {}): Promise<any[]> {
    const { events } = await this.client.ok('GET', '/events', {
      queue_id: this.queueId,
      last_event_id: this.lastEventId,
      ...parameters,
    });
    recordKinds(events);
    expectOfLevel(this.parameters, { events });
    for (const { id } of events) this.lastEventId = Math.max(this.lastEventId, id);
    return events.filter(({ type }: { type: string }) => type !== 'heartbeat');
  }
}

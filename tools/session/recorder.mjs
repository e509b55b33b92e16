// Writes down a session: each request with its answer, and the client events that every queue got by it.
import { setTimeout as pause } from 'node:timers/promises';
import { asText, Client } from './client.mjs';
import { Journal, OUTSIDE } from './journal.mjs';
import { Examples } from './examples.mjs';
import { Routes } from './routes.mjs';
import { shown } from './text.mjs';

const QUIET_EVERY_MS = 30;
/** Nothing was appended and nobody was called during so many looks. */
const QUIET_LOOKS = 15;
const UNTIL_MS = 60_000;
const basic = (email, key) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;

export class Recorder {
  journal = new Journal();
  /** Whether it waits after each request for the work in the background that comes of it. */
  isPatient = false;
  /** Whether queues may end, as they do with the organization. */
  isEnding = false;
  /** Time from one request to the next. */
  paceSeconds = 1;
  routes = new Routes();
  examples = new Examples();
  clients = [];

  constructor(server, outside) {
    Object.assign(this, { server, outside });
  }

  client(name, account) {
    const client = new Client(this, name, account);
    this.clients.push(client);
    return client;
  }

  chapter(title, { isPatient = false } = {}) {
    this.isPatient = isPatient;
    this.journal.step(`## ${title}`);
  }

  /** Logs in by the password. */
  async logIn(name, email, password) {
    const found = await this.client(name).post('/fetch_api_key', { username: email, password });
    return this.client(name, { email, key: found.api_key, userId: found.user_id });
  }

  async call(client, method, path, parameters, files) {
    this.server.pass(this.paceSeconds);
    const answer = await this.#exchange(client, method, path, parameters, files);
    this.routes.record(method, path, answer.status);
    const asked = `${client.name}: ${method} ${path} ${asLine(parameters)}`;
    this.journal.step(asked, `  ${answer.status} ${answer.shown}`);
    await (this.isPatient ? this.settle() : this.collect());
    return answer.body ?? {};
  }

  async #exchange({ email, key, cookie }, method, path, parameters, files) {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) form.set(name, asText(value));
    const hasBody = method !== 'GET';
    const query = hasBody || form.size === 0 ? '' : `${path.includes('?') ? '&' : '?'}${form}`;
    const address = path.startsWith('SERVER') ? path.slice('SERVER'.length) : `/api/v1${path}`;
    const response = await fetch(`${this.server.url}${address}${query}`, {
      method,
      redirect: 'manual',
      headers: {
        'user-agent': 'ScrollbackSession/1',
        ...(key === undefined ? {} : { authorization: basic(email, key) }),
        ...(cookie === undefined ? {} : { cookie }),
      },
      ...(hasBody ? { body: files ?? form } : {}),
    });
    const answer = { status: response.status, ...(await contentOf(response)) };
    this.examples.record(method, address, answer);
    return answer;
  }

  /** The events that came to the queues. */
  async collect() {
    for (const client of this.clients) {
      if (client.queue === undefined) continue;
      const { queue_id, last_event_id } = client.queue;
      const polled = await this.#exchange(client, 'GET', '/events', { queue_id, last_event_id, dont_block: true });
      this.routes.record('GET', '/events', polled.status);
      if (polled.status !== 200) {
        if (!this.isEnding) throw new Error(`The queue of ${client.name} has ended: ${polled.status} ${polled.shown}`);
        this.journal.tell(client.name, `${polled.status} ${polled.shown}`);
        client.queue = undefined;
        continue;
      }
      for (const event of polled.body.events) {
        client.queue.last_event_id = Math.max(client.queue.last_event_id, event.id);
        // Their numbers are positions of the log, in which work in the background appends in between.
        const told = shown({ ...event, id: undefined }, 4);
        if (event.type !== 'heartbeat') this.journal.tell(client.name, told);
      }
    }
  }

  /** Lets time pass at the server. What it does by itself then, `until` waits for. */
  later(seconds, what) {
    this.journal.step(`(${seconds} s later: ${what})`);
    this.server.pass(seconds);
  }

  /** Waits until the server appends nothing and calls nobody; collects what came of it. */
  async settle(quietLooks = QUIET_LOOKS) {
    let before;
    for (let looks = 0; looks < quietLooks; looks++) {
      const now = `${await this.#position()} ${this.outside.count}`;
      if (now !== before) looks = 0;
      before = now;
      await pause(QUIET_EVERY_MS);
    }
    await this.collect();
    for (const call of this.outside.take()) this.journal.tell(OUTSIDE, call);
  }

  /** Waits for a fact, which the server brings about in its own time. */
  async until(what, isSo) {
    const deadline = Date.now() + UNTIL_MS;
    while (!(await isSo())) {
      if (Date.now() > deadline) throw new Error(`The session waits for ever until ${what}.`);
      await pause(QUIET_EVERY_MS);
    }
    await this.settle(3 * QUIET_LOOKS);
  }

  /** An answer that is not written down. */
  async peek(client, path, parameters = {}) {
    return (await this.#exchange(client, 'GET', path, parameters)).body;
  }

  async #position() {
    const { body } = await this.#exchange(this.owner, 'GET', '/operator/projections', {});
    return body.head;
  }
}

const asLine = (parameters) => (Object.keys(parameters).length === 0 ? '' : JSON.stringify(parameters));

export async function contentOf(response) {
  const type = response.headers.get('content-type') ?? '';
  const location = response.headers.get('location');
  const kept = location === null ? '' : ` -> ${location}`;
  if (/^application\/json(?:;|$)/.test(type)) {
    const body = await response.json();
    return { body, shown: `${shown(body, 2)}${kept}` };
  }
  const content = Buffer.from(await response.arrayBuffer());
  // Lines are of any number of bytes, since they name positions of the log.
  if (type.startsWith('application/jsonl'))
    return { text: content.toString(), shown: `${type}, ${content.toString().split('\n').length - 1} lines` };
  const text = /^(text|image\/svg)/.test(type) ? `\n${content.toString()}` : ` ${content.length} bytes`;
  return { text: content.toString(), shown: `${type}${kept}${text}` };
}

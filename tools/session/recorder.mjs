// Writes down a session: each request with its answer, and the client events that every queue got by it.
import { Blob } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { Routes } from './routes.mjs';
import { shown } from './text.mjs';

const QUIET_EVERY_MS = 50;
/** Nothing was appended and nobody was called during so many looks. */
const QUIET_LOOKS = 12;
const UNTIL_MS = 60_000;
/** Everything that a client can say of itself, so that it gets the events in their newest form. */
const CAPABILITIES = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
  simplified_presence_events: true,
};

const basic = (email, key) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
const asText = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Somebody who calls the interface; without an account when there is no key. */
export class Client {
  queue;

  constructor(recorder, name, account = {}) {
    Object.assign(this, { recorder, name }, account);
  }

  get(path, parameters) {
    return this.call('GET', path, parameters);
  }
  post(path, parameters) {
    return this.call('POST', path, parameters);
  }
  patch(path, parameters) {
    return this.call('PATCH', path, parameters);
  }
  put(path, parameters) {
    return this.call('PUT', path, parameters);
  }
  delete(path, parameters) {
    return this.call('DELETE', path, parameters);
  }

  /** Sends a form with one file. */
  upload(path, [name, content], fields = {}, method = 'POST') {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.set(field, asText(value));
    body.set('file', new Blob([content]), name);
    return this.recorder.call(this, method, path, { file: name, ...fields }, body);
  }

  /** @returns the body of the answer. Parameters other than texts are sent as JSON. */
  call(method, path, parameters = {}) {
    return this.recorder.call(this, method, path, parameters);
  }

  /** Sends to a channel; the message ID. */
  async send(to, topic, content) {
    return (await this.post('/messages', { type: 'channel', to, topic, content })).id;
  }

  /** Sends a direct message; its ID. */
  async sendTo(users, content) {
    return (await this.post('/messages', { type: 'direct', to: users.map(({ userId }) => userId), content })).id;
  }

  /** Registers the queue whose events the session collects. */
  async listen(parameters = {}) {
    const lifespan = { queue_lifespan_secs: 604_800 };
    const asked = { client_capabilities: CAPABILITIES, slim_presence: true, ...lifespan, ...parameters };
    const { queue_id, last_event_id } = await this.post('/register', asked);
    this.queue = { queue_id, last_event_id };
  }
}

export class Recorder {
  lines = [];
  /** Whether it waits after each request for the work in the background that comes of it. */
  isPatient = false;
  /** Time from one request to the next. */
  paceSeconds = 1;
  routes = new Routes();
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
    this.lines.push('', `## ${title}`);
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
    this.lines.push('', `${client.name}: ${method} ${path} ${asLine(parameters)}`);
    this.lines.push(`  ${answer.status} ${answer.shown}`);
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
    return { status: response.status, ...(await contentOf(response)) };
  }

  /** The events that came to the queues. */
  async collect() {
    for (const client of this.clients) {
      if (client.queue === undefined) continue;
      const { queue_id, last_event_id } = client.queue;
      const polled = await this.#exchange(client, 'GET', '/events', { queue_id, last_event_id, dont_block: true });
      this.routes.record('GET', '/events', polled.status);
      if (polled.status !== 200) {
        this.lines.push(`  ${client.name} <- ${polled.status} ${polled.shown}`);
        client.queue = undefined;
        continue;
      }
      for (const event of polled.body.events) {
        client.queue.last_event_id = Math.max(client.queue.last_event_id, event.id);
        // Their numbers are positions of the log, in which work in the background appends in between.
        const told = shown({ ...event, id: undefined }, 4);
        if (event.type !== 'heartbeat') this.lines.push(`  ${client.name} <- ${told}`);
      }
    }
  }

  /** Lets time pass at the server. What it does by itself then, `until` waits for. */
  later(seconds, what) {
    this.lines.push('', `(${seconds} s later: ${what})`);
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
    for (const call of this.outside.take()) this.lines.push(`  outside <- ${call}`);
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
  if (type.startsWith('application/json')) {
    const body = await response.json();
    return { body, shown: `${shown(body, 2)}${kept}` };
  }
  const content = Buffer.from(await response.arrayBuffer());
  const text = /^(text|image\/svg)/.test(type) ? `\n${content.toString()}` : ` ${content.length} bytes`;
  return { text: content.toString(), shown: `${type}${kept}${text}` };
}

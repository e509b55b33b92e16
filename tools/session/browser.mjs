// A browser without scripts: pages, their forms, and cookies.
import { contentOf } from './recorder.mjs';

export class Browser {
  #cookies = new Map();
  #page = { action: '', values: {} };
  location = '';

  constructor(recorder) {
    this.recorder = recorder;
  }

  async logIn({ email, password }) {
    await this.open('/login/');
    await this.submit({ username: email, password });
  }

  async open(path) {
    await this.#ask('GET', path);
  }

  /** Sends the form of the page. */
  async submit(filled) {
    const { action, values } = this.#page;
    await this.#ask('POST', action, { ...values, ...filled });
  }

  /** Sends a form as a script of a page would. */
  async form(path, fields) {
    const asked = await fetch(new URL('/api/v1/session', this.recorder.server.url), {
      headers: { cookie: this.#cookie },
    });
    const { csrf_token: csrfmiddlewaretoken } = await asked.json();
    await this.#ask('POST', path, { ...fields, csrfmiddlewaretoken });
  }

  get #cookie() {
    return [...this.#cookies].map((pair) => pair.join('=')).join('; ');
  }

  async #ask(method, path, fields) {
    const { recorder } = this;
    recorder.server.pass(1);
    const response = await fetch(new URL(path, recorder.server.url), {
      method,
      redirect: 'manual',
      headers: { cookie: this.#cookie },
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set);
      this.#cookies.set(name, value);
    }
    this.location = response.headers.get('location') ?? '';
    const { body, text, shown } = await contentOf(response);
    recorder.examples.record(method, path, { status: response.status, body });
    this.#page = pageOf(text ?? '');
    recorder.routes.record(method, `SERVER${path}`, response.status);
    const asked = `browser: ${method} ${path} ${fields === undefined ? '' : JSON.stringify(fields)}`;
    recorder.journal.step(asked, `  ${response.status} ${shown}`);
    await (recorder.isPatient ? recorder.settle() : recorder.collect());
  }
}

function pageOf(text) {
  const values = {};
  for (const [, name, value] of text.matchAll(/<input[^>]* name="([^"]*)"[^>]* value="([^"]*)"/g)) values[name] = value;
  return { action: /<form method="post" action="([^"]*)"/.exec(text)?.[1] ?? '', values };
}

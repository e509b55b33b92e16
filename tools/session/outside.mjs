// The services that the server calls: push service, webhooks, Zoom, BigBlueButton. All answer with success.
import { createServer } from 'node:http';

const ANSWERS = {
  '/hook': { content: 'Hello *you*' },
  '/oauth/token': {
    access_token: 'access',
    refresh_token: 'refresh',
    token_type: 'bearer',
    expires_in: 3600,
    scope: 'meeting:write',
  },
  '/v2/users/me/meetings': { id: 7, join_url: 'https://zoom.example/j/7' },
};

export class Outside {
  /** Requests since they were last taken. */
  #calls = [];
  #devices = 0;
  /** Requests so far. */
  count = 0;

  static async start() {
    const self = new Outside();
    self.server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += chunk.toString()));
      request.on('end', () => self.#answer(request, text, response));
    });
    await new Promise((listening) => self.server.listen(0, '127.0.0.1', listening));
    self.url = `http://127.0.0.1:${self.server.address().port}`;
    return self;
  }

  #answer({ method, url }, text, response) {
    this.count++;
    this.#calls.push(`${method} ${url} ${text}`);
    if (url.startsWith('/bigbluebutton')) return response.end('<response><returncode>SUCCESS</returncode></response>');
    const more = url.endsWith('/e2ee/register') ? { device_id: ++this.#devices } : (ANSWERS[url] ?? {});
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ result: 'success', msg: '', ...more }));
  }

  take() {
    return this.#calls.splice(0);
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { formRequest, getRequest, RawClient } from './raw-client.mjs';
import { authorizationOf } from './seed.mjs';

const PAUSE_MS = 2;

/** Another member, who continuously sends messages and fetches their own account. */
export class Others {
  #longestMs = 0;
  /** Start times of the requests in progress. */
  #sentAt = new Map();
  #closed = false;

  static async open(port, userId, channelId) {
    const others = new Others();
    const authorization = authorizationOf(userId);
    const send = { type: 'stream', to: channelId, topic: 'observed', content: 'hello' };
    for (const request of [
      formRequest('POST', '/api/v1/messages', authorization, send),
      getRequest('/api/v1/users/me', authorization),
    ])
      void others.#ask(await RawClient.open(port), request);
    return others;
  }

  /** Longest latency since the last call, including requests in progress. */
  longest() {
    const now = performance.now();
    for (const sentAt of this.#sentAt.values()) this.#longestMs = Math.max(this.#longestMs, now - sentAt);
    const othersMs = this.#longestMs;
    this.#longestMs = 0;
    return { othersMs };
  }

  close() {
    this.#closed = true;
  }

  async #ask(client, request) {
    while (!this.#closed) {
      const sentAt = performance.now();
      this.#sentAt.set(client, sentAt);
      const { status, body } = await client.request(request);
      this.#sentAt.delete(client);
      if (status !== 200) throw new Error(body);
      this.#longestMs = Math.max(this.#longestMs, performance.now() - sentAt);
      await pause(PAUSE_MS);
    }
    client.close();
  }
}

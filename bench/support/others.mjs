import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { formRequest, getRequest, RawClient } from './raw-client.mjs';
import { authorizationOf } from './seed.mjs';

const PAUSE_MS = 2;

/**
 * Another member, who continuously sends messages and fetches their own account, on a thread of its own: a client that reads
 * long answers beside it must not make it wait.
 */
export class Others {
  #worker;

  static async open(port, userId, channelId) {
    const others = new Others();
    others.#worker = new Worker(new URL(import.meta.url), { workerData: { port, userId, channelId } });
    await others.longest();
    return others;
  }

  /** Longest latency since the last call, including requests in progress. */
  async longest() {
    this.#worker.postMessage('longest');
    const [othersMs] = await once(this.#worker, 'message');
    return { othersMs };
  }

  close() {
    return this.#worker.terminate();
  }
}

class Asking {
  #longestMs = 0;
  /** Start times of the requests in progress. */
  #sentAt = new Map();

  async begin({ port, userId, channelId }) {
    const authorization = authorizationOf(userId);
    const send = { type: 'stream', to: channelId, topic: 'observed', content: 'hello' };
    for (const request of [
      formRequest('POST', '/api/v1/messages', authorization, send),
      getRequest('/api/v1/users/me', authorization),
    ])
      void this.#ask(await RawClient.open(port), request);
  }

  longest() {
    const now = performance.now();
    for (const sentAt of this.#sentAt.values()) this.#longestMs = Math.max(this.#longestMs, now - sentAt);
    const longestMs = this.#longestMs;
    this.#longestMs = 0;
    return longestMs;
  }

  async #ask(client, request) {
    for (;;) {
      const sentAt = performance.now();
      this.#sentAt.set(client, sentAt);
      const { status, body } = await client.request(request);
      this.#sentAt.delete(client);
      if (status !== 200) throw new Error(body);
      this.#longestMs = Math.max(this.#longestMs, performance.now() - sentAt);
      await pause(PAUSE_MS);
    }
  }
}

if (!isMainThread && workerData?.channelId !== undefined) {
  const asking = new Asking();
  await asking.begin(workerData);
  parentPort.on('message', () => parentPort.postMessage(asking.longest()));
}

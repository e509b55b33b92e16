import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, ApiClient, TestQueue } from './client.js';
import { patiently } from './patience.js';
import { hear, type SentMessage } from './sent-messages.js';

const APIS = 2;
const SENDERS = 6;
const READERS = 2;
const AFTER_REFUSAL_MS = 100;
const TRY_EVERY_MS = 200;
const NEWEST = { anchor: 'newest', num_before: 5, num_after: 0 };

/** An answered send: at which api, and when, by the monotonic clock. */
export interface AnsweredSend {
  readonly api: number;
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly isAcknowledged: boolean;
}

/** Records requests and answers while stores fail and return. */
export class Traffic {
  /** Acknowledged IDs by content. Every content is sent once and never repeated. */
  readonly acknowledged = new Map<string, number>();
  readonly heard: SentMessage[] = [];
  /** Answers that were neither a success nor a refusal that clients understand. */
  readonly strange: string[] = [];
  readonly reads: { readonly askedMs: number; readonly status: number }[] = [];
  readonly sends: AnsweredSend[] = [];
  longestMs = 0;
  #isOver = false;
  #working: Promise<unknown> = Promise.resolve();

  /**
   * @param at returns a client with this name at one of two apis in turn, by a number; each sender is a different
   * client
   * @param pauseMs pause of a sender between two sends
   */
  constructor(
    private readonly at: (index: number, name?: string) => ApiClient,
    private readonly pauseMs = 0,
  ) {}

  start(round: string, queue: TestQueue): void {
    this.#isOver = false;
    this.heard.length = this.reads.length = this.sends.length = this.strange.length = this.longestMs = 0;
    const senders = Array.from({ length: SENDERS }, (_, sender) => this.#send(round, sender));
    const readers = Array.from({ length: READERS }, (_, reader) => this.#read(reader));
    this.#working = Promise.all([...senders, ...readers, this.#poll(queue)]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    // The poll waits for events. A projector that takes over may be starting.
    let tries = 0;
    await patiently(async () => {
      const content = `the end of ${this.acknowledged.size}, try ${++tries}`;
      this.acknowledged.set(content, await this.at(0).send('general', 'the end', content));
    });
    await this.#working;
  }

  /**
   * Sends to one api repeatedly, whether or not earlier sends were answered, until one is acknowledged.
   * @returns how long that took; Infinity beyond the limit
   */
  async untilSent(round: string, api: number, withinMs: number): Promise<number> {
    const sinceMs = performance.now();
    const client = this.at(api, `Waiting${api}/1`);
    const tries: Promise<unknown>[] = [];
    const took = { ms: Infinity };
    while (took.ms === Infinity && performance.now() - sinceMs < withinMs) {
      const content = `${round}, waiting at ${api}, try ${tries.length}`;
      const sending = this.#trySend(client, api, content, 'waiting').then((isSent) => {
        if (isSent) took.ms = Math.min(took.ms, Math.round(performance.now() - sinceMs));
      });
      tries.push(sending);
      await Promise.race([sending, pause(TRY_EVERY_MS)]);
      if (took.ms === Infinity) await pause(AFTER_REFUSAL_MS);
    }
    await Promise.all(tries);
    return took.ms;
  }

  async #send(round: string, sender: number): Promise<void> {
    const client = this.at(sender, `Sender${sender}/1`);
    for (let count = 0; !this.#isOver; count++) {
      const content = `${round}, sender ${sender}, message ${count}`;
      const isSent = await this.#trySend(client, sender % APIS, content, `topic ${sender % 3}`);
      await pause(isSent ? this.pauseMs : AFTER_REFUSAL_MS);
    }
  }

  async #trySend(client: ApiClient, api: number, content: string, topic: string): Promise<boolean> {
    const askedMs = performance.now();
    const message = { type: 'channel', to: 'general', topic, content };
    const { status, body } = await this.#ask(client, 'POST', '/messages', message);
    const isAcknowledged = status === 200;
    this.sends.push({ api, askedMs, answeredMs: performance.now(), isAcknowledged });
    if (isAcknowledged) this.acknowledged.set(content, body.id);
    return isAcknowledged;
  }

  async #read(reader: number): Promise<void> {
    while (!this.#isOver) {
      const askedMs = performance.now();
      const { status } = await this.#ask(this.at(reader), 'GET', '/messages', NEWEST);
      this.reads.push({ askedMs, status });
      await pause(50);
    }
  }

  async #poll(queue: TestQueue): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      try {
        hear(await queue.at(this.at(turn)).poll(), this.heard);
      } catch (error) {
        if (!String(error).includes(' 503 ')) throw error;
        await pause(AFTER_REFUSAL_MS);
      }
    }
  }

  async #ask(client: ApiClient, method: string, path: string, parameters: Record<string, unknown>): Promise<Answer> {
    const sinceMs = performance.now();
    const answer = await client.call(method, path, parameters);
    this.longestMs = Math.max(this.longestMs, performance.now() - sinceMs);
    if (answer.status !== 200 && !isRefusal(answer))
      this.strange.push(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }
}

export function isRefusal({ status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>): boolean {
  return status === 503 && body.code === 'SERVER_NOT_READY' && /^[1-9]\d*$/.test(headers.get('retry-after') ?? '');
}

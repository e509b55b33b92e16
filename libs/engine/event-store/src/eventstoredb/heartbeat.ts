import { sleep } from '#kernel';
import type { Connection } from './connection.js';
import type { Health } from './health.js';
import type { ServerReads } from './server-reads.js';
import { NoAnswer } from './trouble.js';

/** A server that answered anything more recently is not probed. */
const BEAT_EVERY_MS = 750;
/** While nobody is at work: each probe wakes the process. A frozen server is detected within 3 s. */
const QUIET_BEAT_EVERY_MS = 1_500;

/** Minimum pause between two probes. */
const PAUSE_MIN_MS = 50;

/** Timeout of a probe. With the interval, a frozen server is detected within 2 s. */
const ANSWER_LIMIT_MS = 1_250;

/**
 * Probes a silent server. A subscription to a frozen or unreachable node would otherwise wait for ever: its client
 * cannot tell that node from one with no new events.
 */
export class Heartbeat {
  #ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: Connection,
    private readonly reads: ServerReads,
    private readonly health: Health,
    private readonly closing: AbortSignal,
  ) {}

  get ended(): Promise<void> {
    return this.#ended;
  }

  start(): void {
    this.#ended = this.#beat();
  }

  async #beat(): Promise<void> {
    for (;;) {
      const everyMs = this.health.isQuiet ? QUIET_BEAT_EVERY_MS : BEAT_EVERY_MS;
      const dueMs = everyMs - this.health.silentMs;
      await sleep(this.health.isWatching ? BEAT_EVERY_MS : Math.max(dueMs, PAUSE_MIN_MS), this.closing);
      if (this.closing.aborted) return;
      // `Health` already probes a server that is not healthy.
      if (this.health.isWatching || this.health.silentMs < everyMs) continue;
      await this.#ask();
    }
  }

  async #ask(): Promise<void> {
    try {
      const { client } = await this.connection.current();
      try {
        await this.reads.probe(ANSWER_LIMIT_MS);
      } catch (error) {
        // A busy server may answer a probe late while it answers other calls.
        if (!(error instanceof NoAnswer)) throw error;
        if (this.health.silentMs < ANSWER_LIMIT_MS || !this.connection.leave(client)) return;
        this.health.silent(error, 'read');
      }
    } catch {
      this.health.suspect();
    }
  }
}

import type { Logger } from '#http';
import type { Clock } from '#kernel';
import type { EmbeddedReadStores } from '#read-store';
import { FORMER_RELEASE_KEPT_DAYS } from './keep-former-release.js';

/** The first snapshot is made when a start and what follows it are over. */
const FIRST_AFTER_MS = 10 * 60 * 1_000;
const AGAIN_AFTER_FAILURE_MS = 60 * 60 * 1_000;
const LOOK_EVERY_MS = 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** Smaller read models are built again within seconds. */
const BYTES_MIN = 16 * 1024 * 1024;

export interface SnapshotParts {
  readonly files: Pick<
    EmbeddedReadStores['files'],
    'bytes' | 'snapshotTakenAtMs' | 'takeSnapshot' | 'dropFormerRelease'
  >;
  /** Hour of the day, in UTC, from 0 to 23; undefined when none are made. */
  readonly hour: number | undefined;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly bytesMin?: number;
}

/**
 * Makes a snapshot of embedded read models each night, and another one after it was used or given up. Removes those of a former release
 * when their time is over.
 */
export class ReadModelSnapshots {
  readonly #ending = new AbortController();
  #earliestMs: number;
  #looking: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;

  constructor(private readonly parts: SnapshotParts) {
    this.#earliestMs = parts.clock.nowMs() + FIRST_AFTER_MS;
  }

  start(): void {
    this.#looking = setInterval(() => {
      this.look();
    }, LOOK_EVERY_MS).unref();
  }

  /** Makes a snapshot when one is due, and removes what has been kept for long enough. */
  look(): void {
    this.#dropFormerRelease();
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#running = this.#takeIfDue().finally(() => (this.#isRunning = false));
  }

  /** Resolves when no snapshot is being made. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** Gives up a snapshot that is being made. */
  async stop(): Promise<void> {
    clearInterval(this.#looking);
    this.#ending.abort();
    await this.#running;
  }

  #isDue(): boolean {
    const { files, hour, clock, bytesMin = BYTES_MIN } = this.parts;
    const nowMs = clock.nowMs();
    if (hour === undefined) return false;
    if (nowMs < this.#earliestMs || files.bytes < bytesMin) return false;
    const lastHourMs = Math.floor((nowMs - hour * HOUR_MS) / DAY_MS) * DAY_MS + hour * HOUR_MS;
    return (files.snapshotTakenAtMs ?? -Infinity) < lastHourMs;
  }

  #dropFormerRelease(): void {
    const { files, clock, logger } = this.parts;
    try {
      if (files.dropFormerRelease(clock.nowMs() - FORMER_RELEASE_KEPT_DAYS * DAY_MS))
        logger.info({}, 'The read models of the former release were removed: their time is over.');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn({ reason }, 'The read models of the former release cannot be removed.');
    }
  }

  async #takeIfDue(): Promise<void> {
    const { files, clock, logger } = this.parts;
    const sinceMs = performance.now();
    try {
      // Asks the file as well, which may be damaged.
      if (!this.#isDue()) return;
      await files.takeSnapshot(this.#ending.signal);
      logger.info(
        { elapsedMs: Math.round(performance.now() - sinceMs) },
        'A snapshot of the read models was made. A start that finds them damaged or missing goes on from it.',
      );
    } catch (error) {
      if (this.#ending.signal.aborted) return;
      this.#earliestMs = clock.nowMs() + AGAIN_AFTER_FAILURE_MS;
      const reason = error instanceof Error ? error.message : String(error);
      logger.warn({ reason }, 'No snapshot of the read models could be made.');
    }
  }
}

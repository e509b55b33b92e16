import type { RecordedEvent } from '#event-store';
import type { Directory } from '#people';

/** Events kept for a reader that falls behind. It reads the log when there were more. */
const KEPT_MAX = 5_000;

/**
 * The newest events, as the directory passes them on. Following the log would read and parse each of them a second time.
 */
export class LatestEvents {
  #events: RecordedEvent[] = [];
  #isWhole = true;
  #isEnded = false;
  #wake: () => void = () => undefined;
  readonly #unlisten: () => void;

  constructor(directory: Pick<Directory, 'listen'>, isWanted: (event: RecordedEvent) => boolean) {
    this.#unlisten = directory.listen((event) => {
      if (!isWanted(event)) return;
      if (this.#events.length >= KEPT_MAX) {
        this.#events = [];
        this.#isWhole = false;
      }
      this.#events.push(event);
      this.#wake();
    });
  }

  /** Ends a pending call of `next` as well. */
  end(): void {
    this.#unlisten();
    this.#isEnded = true;
    this.#wake();
  }

  /**
   * Waits for events, and hands them over. To be called by one reader.
   * @returns none after the limit, and after the end; undefined when some are missing before those that the next call returns: the log has them
   */
  async next(limitMs = Infinity): Promise<readonly RecordedEvent[] | undefined> {
    if (this.#events.length === 0 && !this.#isEnded) await this.#some(limitMs);
    if (!this.#isWhole) {
      this.#isWhole = true;
      return undefined;
    }
    const events = this.#events;
    this.#events = [];
    return events;
  }

  async #some(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((wake) => {
      this.#wake = wake;
      if (limitMs < Infinity) timer = setTimeout(wake, limitMs).unref();
    });
    clearTimeout(timer);
  }
}

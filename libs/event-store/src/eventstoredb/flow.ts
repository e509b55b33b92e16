import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DriverEvent } from './driver.js';
import { NoAnswer } from './trouble.js';

/** What a batch holds at most. */
const BATCH_EVENTS_MAX = 1_024;

/**
 * How the client's streams are set up. What it has converted waits here until it is taken; when that is full the client
 * stops reading, then HTTP/2 stops the server. So a slow consumer costs twice this many events
 * of memory and no more.
 */
export const FLOW_OPTIONS = { highWaterMark: 256 } as const;

/** Ends the client's stream and the call behind it. */
type Cancel = () => Promise<void>;

/**
 * A stream of events of the client, taken in batches: whatever has arrived. The client emits errors without ending its
 * stream and drops what is buffered from the eyes of `for await`; here what had arrived is given first.
 */
export class Flow {
  #failure: { readonly error: unknown } | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(
    private readonly source: Readable,
    private readonly cancel: Cancel,
    private readonly gone: AbortSignal,
  ) {
    if (gone.aborted) this.#onGone();
    else gone.addEventListener('abort', this.#onGone);
    source.on('readable', this.#onReadable);
    source.on('end', this.#onEnd);
    source.on('error', this.#onError);
  }

  /** Everything that has arrived has been taken. */
  get isDrained(): boolean {
    return this.source.readableLength === 0;
  }

  /**
   * The next events: at least one, unless the stream has ended or the signal has aborted.
   * @throws what the client emitted; NoAnswer when nothing came for so long
   */
  async next(signal: AbortSignal, limitMs = Infinity): Promise<readonly DriverEvent[]> {
    const batch = this.#take();
    return batch.length > 0 ? batch : this.#wait(signal, limitMs);
  }

  async #wait(signal: AbortSignal, limitMs: number): Promise<readonly DriverEvent[]> {
    const patience = { isOver: false };
    const wake = (): void => this.#wake?.();
    const onTime = (): void => {
      patience.isOver = true;
      wake();
    };
    const timer = limitMs === Infinity ? undefined : setTimeout(onTime, limitMs);
    signal.addEventListener('abort', wake);
    try {
      for (;;) {
        const batch = this.#take();
        if (batch.length > 0 || this.#ended || signal.aborted) return batch;
        if (this.#failure !== undefined) throw this.#failure.error;
        if (patience.isOver) throw new NoAnswer();
        await new Promise<void>((resolve) => (this.#wake = resolve));
        // Events come one at a time; a turn of the event loop lets those that arrived together go on together.
        await nextTurn();
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
    }
  }

  close(): void {
    this.gone.removeEventListener('abort', this.#onGone);
    // A call that never came about has nothing to cancel; its failure was told as an error already.
    this.cancel().catch(() => undefined);
    this.source.destroy();
  }

  #take(): readonly DriverEvent[] {
    const batch: DriverEvent[] = [];
    while (batch.length < BATCH_EVENTS_MAX) {
      const event = this.source.read() as DriverEvent | null;
      if (event === null) break;
      batch.push(event);
    }
    return batch;
  }

  readonly #onReadable = (): void => this.#wake?.();

  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#wake?.();
  };

  /** The client keeps silent about calls that it has cancelled itself. */
  readonly #onGone = (): void => this.#onError(new NoAnswer());

  /** Stays attached after the end: a cancelled call may still complain. */
  readonly #onError = (error: unknown): void => {
    this.#failure ??= { error };
    this.#wake?.();
  };
}

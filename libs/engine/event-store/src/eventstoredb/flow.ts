import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DriverEvent } from './driver.js';
import { afterRunning } from './running-time.js';
import { NoAnswer } from './trouble.js';

/** Maximum events in a batch. */
const BATCH_EVENTS_MAX = 1_024;

/**
 * Options of the client's streams. Converted events wait in this buffer; when it is full the client stops reading, and
 * HTTP/2 stops the server. A slow consumer therefore holds at most twice this many events in memory.
 */
export const FLOW_OPTIONS = { highWaterMark: 256 } as const;

/** Cancels the client's stream and its call. */
type Cancel = () => Promise<void>;

/**
 * Reads a stream of the client in batches of all events that have arrived. The client emits errors without ending its
 * stream, and `for await` drops what is buffered; here buffered events are returned before the error.
 */
export class Flow {
  #failure: { readonly error: unknown } | undefined;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(
    private readonly source: Readable,
    private readonly cancel: Cancel,
    private readonly gone: AbortSignal,
    /** Called when something has arrived. */
    private readonly heard: () => void,
  ) {
    if (gone.aborted) this.#onGone();
    else gone.addEventListener('abort', this.#onGone);
    source.on('readable', this.#onReadable);
    source.on('end', this.#onEnd);
    source.on('error', this.#onError);
  }

  /** Whether all arrived events have been taken. */
  get isDrained(): boolean {
    return this.source.readableLength === 0;
  }

  /**
   * Returns the next events: at least one, unless the stream has ended or the signal has aborted.
   * @throws errors of the client; NoAnswer when nothing arrived within the limit
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
    const cancel = limitMs === Infinity ? undefined : afterRunning(limitMs, onTime);
    signal.addEventListener('abort', wake);
    try {
      for (;;) {
        const batch = this.#take();
        if (batch.length > 0 || this.#ended || signal.aborted) return batch;
        if (this.#failure !== undefined) throw this.#failure.error;
        if (patience.isOver) throw new NoAnswer();
        await new Promise<void>((resolve) => (this.#wake = resolve));
        // Events arrive one at a time; a turn of the event loop collects those that arrived together.
        await nextTurn();
      }
    } finally {
      cancel?.();
      signal.removeEventListener('abort', wake);
    }
  }

  close(): void {
    this.gone.removeEventListener('abort', this.#onGone);
    // A call that failed to start has nothing to cancel; its failure was already reported as an error.
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
    if (batch.length > 0) this.heard();
    return batch;
  }

  readonly #onReadable = (): void => this.#wake?.();

  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#wake?.();
  };

  /** The client reports nothing for calls that it has cancelled itself. */
  readonly #onGone = (): void => this.#onError(new NoAnswer());

  /** Stays attached after the end, because a cancelled call may still emit an error. */
  readonly #onError = (error: unknown): void => {
    this.#failure ??= { error };
    this.#wake?.();
  };
}

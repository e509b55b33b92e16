import type { CallProbe } from '#kernel';
import {
  type Appended,
  type Checkpoint,
  type Damage,
  EventStore,
  type EventStoreUnavailable,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type StreamPage,
  type SubscribeOptions,
} from './event-store.js';

/** An event log whose calls pass a probe, by the name of the method. A subscription waits for events most of the time, so it does not. */
export class ObservedEventStore extends EventStore {
  constructor(
    private readonly inner: EventStore,
    private readonly probe: CallProbe,
  ) {
    super();
  }

  override get failure(): EventStoreUnavailable | undefined {
    return this.inner.failure;
  }

  override get damages(): readonly Damage[] {
    return this.inner.damages;
  }

  override append(...append: Parameters<EventStore['append']>): Promise<Appended> {
    return this.probe('append', () => this.inner.append(...append));
  }

  override readStream(stream: string, options: ReadStreamOptions): Promise<readonly RecordedEvent[]> {
    return this.probe('readStream', () => this.inner.readStream(stream, options));
  }

  override readPages(pages: readonly StreamPage[]): Promise<readonly (readonly RecordedEvent[])[]> {
    return this.probe('readPages', () => this.inner.readPages(pages));
  }

  /** Each page is a call. */
  override async *readAll(options: ReadAllOptions): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    const pages = this.inner.readAll(options)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const page = await this.probe('readAll', () => pages.next());
        if (page.done === true) return;
        yield page.value;
      }
    } finally {
      // A reader that stops early lets go of what the adapter holds.
      await pages.return?.();
    }
  }

  override subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return this.inner.subscribe(options);
  }

  override head(): Promise<number> {
    return this.probe('head', () => this.inner.head());
  }

  override product(): Promise<string> {
    return this.inner.product();
  }

  override checkpointAfter(event: RecordedEvent): Checkpoint {
    return this.inner.checkpointAfter(event);
  }

  override close(): Promise<void> {
    return this.inner.close();
  }
}

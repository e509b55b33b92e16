import type { EventStoreUnavailable, NewEvent, RecordedEvent } from '#event-store';
import { until } from '#testing';
import { contractRegistry } from '../../libs/engine/event-store/src/contract/log.contract.js';
import {
  type EventStoreDbOptions,
  EventStoreDbEventStore,
} from '../../libs/engine/event-store/src/eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbStandIn, type ProposedEvent } from '../eventstoredb/index.js';

/** A server with faults on demand, and stores that are connected to it. */
export class ServerFixture {
  readonly failures: EventStoreUnavailable[] = [];
  readonly #stores: EventStoreDbEventStore[] = [];

  private constructor(readonly server: EventStoreDbStandIn) {}

  static async start(options: Parameters<typeof EventStoreDbStandIn.start>[0] = {}): Promise<ServerFixture> {
    return new ServerFixture(await EventStoreDbStandIn.start(options));
  }

  async open(options: EventStoreDbOptions = {}): Promise<EventStoreDbEventStore> {
    const onFailure = (failure: EventStoreUnavailable): void => void this.failures.push(failure);
    const store = await EventStoreDbEventStore.open(this.server.url, contractRegistry, { onFailure, ...options });
    this.#stores.push(store);
    return store;
  }

  async stop(): Promise<void> {
    this.server.faults.heal();
    for (const store of this.#stores) await store.close();
    await this.server.stop();
  }
}

/** Collects the events of a subscription until it is stopped. */
export class Follower {
  readonly events: RecordedEvent<{ text: string }>[] = [];
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor(
    store: EventStoreDbEventStore,
    options: { readonly after?: string; readonly streamPrefixes?: readonly string[] } = {},
  ) {
    this.#done = (async () => {
      for await (const batch of store.subscribe({ ...options, signal: this.#stop.signal })) this.events.push(...batch);
    })();
  }

  get texts(): string[] {
    return this.events.map(({ data }) => data.text);
  }

  /** Resolves when this many events have arrived. */
  async has(count: number): Promise<void> {
    await until(() => this.events.length >= count);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }
}

/** An event as a server stores it. */
export function asStored({ id, type, data }: NewEvent): ProposedEvent {
  const text = Buffer.from(JSON.stringify(data));
  return { id, type, contentType: 'application/json', data: text, metadata: new Uint8Array() };
}

export function countTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index));
}

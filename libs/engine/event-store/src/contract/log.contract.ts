import { randomUUID } from 'node:crypto';
import type { JsonObject } from '#kernel';
import { Type } from 'typebox';
import type { EventStore, NewEvent, RecordedEvent, SubscribeOptions } from '../event-store.js';
import { EventRegistry, eventType } from '../registry.js';

const noted = eventType(
  'note.taken.v2',
  Type.Object({ text: Type.String(), tags: Type.Optional(Type.Array(Type.String())) }),
);

/** Event types of the contract suite: one type, with an older version of another shape. */
export const contractRegistry = new EventRegistry([noted], {
  'note.taken.v1': ({ body }: { body: string }) => ({ type: noted.name, data: { text: body } }),
});

/** The types as the program knew them when `note.taken.v1` was new. */
export const oldContractRegistry = new EventRegistry([
  eventType('note.taken.v1', Type.Object({ body: Type.String() })),
  eventType('note.burnt.v1', Type.Object({})),
]);

/** Timeout for something that should happen at once; guards against hanging only. */
export const PATIENCE_MS = 60_000;

/** Storage for a log under test: can be opened, closed, and opened again. */
export interface ContractHome {
  open(registry: EventRegistry): Promise<EventStore>;
  /** Stops and restarts the storage while the store is open; by default the store is closed and opened again. */
  restart?(): Promise<void>;
  /** Writes very many events faster than by appending; types and data are given as stored. */
  seed?(stream: string, events: readonly NewEvent[]): void;
  /** Removes everything, after all stores are closed. */
  dispose(): Promise<void>;
}

/** The log under test, fresh for each test. */
export class ContractLog {
  #home: ContractHome | undefined;
  #store: EventStore | undefined;

  constructor(readonly makeHome: () => Promise<ContractHome>) {}

  get store(): EventStore {
    if (this.#store === undefined) throw new Error('The log is opened before each test.');
    return this.#store;
  }

  async open(): Promise<void> {
    this.#home = await this.makeHome();
    this.#store = await this.#home.open(contractRegistry);
  }

  async reopen(registry: EventRegistry = contractRegistry): Promise<void> {
    await this.store.close();
    this.#store = await this.#home?.open(registry);
  }

  /** Simulates a crash of the machine: calls in progress may fail, and work continues afterwards. */
  async restart(): Promise<void> {
    if (this.#home?.restart === undefined) await this.reopen();
    else await this.#home.restart();
  }

  /** Appends notes whose texts count from 0. */
  async fill(stream: string, count: number): Promise<void> {
    for (let from = 0; from < count; from += 500) {
      const size = Math.min(500, count - from);
      await this.store.append(
        stream,
        'any',
        Array.from({ length: size }, (_, index) => note(String(from + index))),
      );
    }
  }

  /** Writes very many notes directly, while no store is open. */
  async seed(stream: string, count: number): Promise<void> {
    if (this.#home?.seed === undefined) {
      await this.fill(stream, count);
      return;
    }
    for (let from = 0; from < count; from += 500) {
      const size = Math.min(500, count - from);
      this.#home.seed(
        stream,
        Array.from({ length: size }, (_, index) => note(String(from + index))),
      );
    }
  }

  async dispose(): Promise<void> {
    await this.store.close();
    await this.#home?.dispose();
  }
}

export function note(text: string, metadata?: JsonObject): NewEvent {
  const event = { id: randomUUID(), type: noted.name, data: { text } };
  return metadata === undefined ? event : { ...event, metadata };
}

/** Returns the first `count` events of a subscription as soon as they have arrived. */
export async function take(
  store: EventStore,
  count: number,
  options: Omit<SubscribeOptions, 'signal'> = {},
  patienceMs = PATIENCE_MS,
): Promise<RecordedEvent[]> {
  const taken: RecordedEvent[] = [];
  const signal = AbortSignal.timeout(patienceMs);
  for await (const batch of store.subscribe({ ...options, signal })) {
    expect(batch).not.toHaveLength(0);
    taken.push(...batch);
    if (taken.length >= count) break;
  }
  return taken;
}

export async function everything(store: EventStore, streamPrefixes?: readonly string[]): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const page of store.readAll(streamPrefixes === undefined ? {} : { streamPrefixes })) events.push(...page);
  return events;
}

export function textsOf(events: readonly RecordedEvent<{ text: string }>[]): string[] {
  return events.map(({ data }) => data.text);
}

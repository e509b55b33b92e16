import { BoundedMap, BY_SERVER, newId, type Visit } from '#kernel';
import type { EventStore } from '../event-store.js';
import { streams } from '../streams.js';
import { withOrigin } from './origin-text.js';
import { visitBegan } from './visit.events.js';

/** Visits remembered, some 300 bytes each. One that was forgotten is recorded again. */
const REMEMBERED_MAX = 20_000;

/** Records from where requests come, each visit once, and knows its number. */
export class Visits {
  readonly #numbers = new BoundedMap<string, number>(REMEMBERED_MAX);
  /** Visits that are being recorded. */
  readonly #pending = new Map<string, Promise<number>>();

  constructor(private readonly store: Pick<EventStore, 'append'>) {}

  /** The number of a visit; a promise when it has to be recorded first. @throws EventStoreUnavailable */
  numberOf(visit: Visit): number | Promise<number> {
    const key = keyOf(visit);
    return this.#numbers.get(key) ?? this.#pending.get(key) ?? this.#record(key, visit);
  }

  #record(key: string, visit: Visit): Promise<number> {
    const event = withOrigin({ id: newId(), type: visitBegan.name, data: visit }, BY_SERVER);
    const recorded = this.store
      .append(streams.visits, 'any', [event])
      .then(({ firstRevision }) => {
        this.#numbers.set(key, firstRevision + 1);
        return firstRevision + 1;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, recorded);
    return recorded;
  }
}

function keyOf({ client, version = '', session = '', address = '', requests }: Visit): string {
  return `${client}\n${version}\n${session}\n${address}\n${requests}`;
}

/** A visit that events name. @throws as `EventStore.readStream` */
export async function visitOf(store: Pick<EventStore, 'readStream'>, number: number): Promise<Visit | undefined> {
  const [event] = await store.readStream(streams.visits, { from: number - 1, limit: 1 });
  return event?.data as Visit | undefined;
}

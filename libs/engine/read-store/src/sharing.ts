import type { JsonObject } from '#kernel';
import type { Stored } from './read-store.js';

/** An exclusive right of one process among all. */
export interface Lease {
  readonly name: string;
  /** Its holder: a name that is unique to the process. */
  readonly holder: string;
  /**
   * Fencing token: grows with each acquisition. Writes under the lease are refused once a higher term has been seen.
   */
  readonly term: number;
}

/** The newest term of a lease, as its holder last renewed it. */
export interface LeaseSign {
  readonly term: number;
  /** Number of renewals: the holder was there when it grew. */
  readonly beat: number;
  /** What the holder says of its work. */
  readonly note: JsonObject | undefined;
}

/** Leases in the read store, each held by one process at a time: for writing it, and for moving messages. */
export abstract class Leases {
  /**
   * Acquires the lease if it is free, or if its holder has not renewed it for `ttlMs`; undefined otherwise. The time
   * since the renewal is measured by this process's monotonic clock, between calls, so machines need not agree on the
   * time. A waiting process calls often: time in which the store did not answer, or no call was made, does not count
   * against the holder.
   * @throws ReadStoreUnavailable
   */
  abstract acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined>;

  /**
   * Renews the lease. False when another process has acquired it meanwhile: all work under it must stop.
   * @param note for other processes; the last one stays without it
   * @throws ReadStoreUnavailable
   */
  abstract renew(lease: Lease, note?: JsonObject): Promise<boolean>;

  /**
   * Releases the lease. Does nothing when it was lost.
   * @throws ReadStoreUnavailable
   */
  abstract release(lease: Lease): Promise<void>;

  /**
   * What the lease's newest holder has said; undefined for a lease that nobody has held.
   * @throws ReadStoreUnavailable
   */
  abstract sign(name: string): Promise<LeaseSign | undefined>;
}

/** A step of the read store's writer, as its readers learn of it. */
export interface Advance {
  /** Position before it. */
  readonly after: number;
  /** Position since then: everything up to it is decided, and seen by every read that begins now. */
  readonly passed: number;
  /** New documents of the feed in between; undefined when they have to be read. */
  readonly told: readonly Stored<object>[] | undefined;
}

/** Progress of the read store's one writer, for processes that only read it. */
export abstract class Progress {
  /**
   * The `passed` position of the newest commit: reads that begin afterwards see everything up to it. Includes
   * everything acknowledged when the call began; 0 before the first commit.
   * @throws ReadStoreUnavailable
   */
  abstract position(): Promise<number>;

  /** Says that the position is likely to move now: those who are told by polling are told soon all the same. */
  expect(): void {
    // Most are told without it.
  }

  /**
   * Calls back soon after the position has moved, with the step where it is known; sometimes needlessly; never fails,
   * and never stays silent for long. Steps may be missing, and are in order.
   * @returns a function that unsubscribes
   */
  abstract watch(moved: (advance?: Advance) => void): () => void;
}

export interface Subscribing {
  /** The subscriber looks for itself as well: where messages are polled for, that is not done for this subscription alone. */
  readonly isSpared?: boolean;
}

/**
 * Broadcasts to all processes, including this one, what need not be stored: typing, presence, a removed queue. A
 * process that is disconnected for a moment may miss it.
 */
export abstract class Broadcast {
  /**
   * Resolves when the message is sent. Bodies stay below a few kilobytes.
   * @throws ReadStoreUnavailable
   */
  abstract publish(topic: string, body: JsonObject): Promise<void>;

  /**
   * Subscribes to a topic, in the order of sending of each sender.
   * @returns a function that unsubscribes
   */
  abstract subscribe(topic: string, heard: (body: JsonObject) => void, subscribing?: Subscribing): () => void;
}

/** Listeners by topic. */
export class Listeners<Message> {
  readonly #byTopic = new Map<string, Set<{ readonly heard: (message: Message) => void }>>();

  get size(): number {
    return this.#byTopic.size;
  }

  /** @returns a function that removes the listener */
  add(topic: string, heard: (message: Message) => void): () => void {
    const listeners = this.#byTopic.get(topic) ?? new Set();
    const listener = { heard };
    this.#byTopic.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#byTopic.get(topic) === listeners) this.#byTopic.delete(topic);
    };
  }

  tell(topic: string, message: Message): void {
    for (const { heard } of [...(this.#byTopic.get(topic) ?? [])]) {
      try {
        heard(message);
      } catch (error) {
        // A failing listener must affect neither the other listeners nor the sender.
        process.emitWarning(`A listener to ${topic} failed: ${error instanceof Error ? error.message : 'unknown'}`);
      }
    }
  }

  clear(): void {
    this.#byTopic.clear();
  }
}

/** Broadcast within a single process. */
export class LocalBroadcast extends Broadcast {
  readonly #listeners = new Listeners<JsonObject>();

  override async publish(topic: string, body: JsonObject): Promise<void> {
    this.#listeners.tell(topic, body);
  }

  override subscribe(topic: string, heard: (body: JsonObject) => void): () => void {
    return this.#listeners.add(topic, heard);
  }
}

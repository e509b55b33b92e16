import type { JsonObject } from '#kernel';

/** The right to be the only one of all processes. */
export interface Lease {
  readonly name: string;
  /** Who took it: a name that is unique to the process. */
  readonly holder: string;
  /** Grows from taking to taking. Whoever writes under the lease is refused once a higher term has been seen. */
  readonly term: number;
}

/** Rights that one process at a time holds, in the read store: to write it, and to move messages. */
export abstract class Leases {
  /**
   * Takes the lease if nobody holds it, or if its holder has not renewed it for `ttlMs`; undefined otherwise. How long ago
   * it was renewed is measured by this process's own steady clock, between calls: machines need not agree on the time.
   * @throws ReadStoreUnavailable
   */
  abstract acquire(name: string, holder: string, ttlMs: number): Promise<Lease | undefined>;

  /** Keeps it. False when another process has taken it meanwhile: whatever is done under it must stop. @throws ReadStoreUnavailable */
  abstract renew(lease: Lease): Promise<boolean>;

  /** Lets the next one in at once. Does nothing when it was lost. @throws ReadStoreUnavailable */
  abstract release(lease: Lease): Promise<void>;
}

/** How far the one writer of the read store has come, for those who only read it. */
export abstract class Progress {
  /**
   * The `passed` position of the newest commit: everything up to it is in the store. Never older than what had been
   * acknowledged when the call began; 0 before the first commit. @throws ReadStoreUnavailable
   */
  abstract position(): Promise<number>;

  /** Calls back soon after it has moved, sometimes for nothing; never fails, and never stays silent for long. Gives what ends it. */
  abstract watch(moved: () => void): () => void;
}

/**
 * Says something to all processes, this one included, that need not be kept: typing, presence, a queue that was removed.
 * Who is away for a moment may miss it.
 */
export abstract class Broadcast {
  /** Resolves when it is on its way. Bodies stay below a few kilobytes. @throws ReadStoreUnavailable */
  abstract publish(topic: string, body: JsonObject): Promise<void>;

  /** Hears a topic, in the order of sending of each sender. Gives what ends it. */
  abstract subscribe(topic: string, heard: (body: JsonObject) => void): () => void;
}

/** Listeners by topic. */
export class Listeners<Message> {
  readonly #byTopic = new Map<string, Set<{ readonly heard: (message: Message) => void }>>();

  get size(): number {
    return this.#byTopic.size;
  }

  /** Gives what ends it. */
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
        // The others shall hear it all the same, and who told it is not to blame.
        process.emitWarning(`A listener to ${topic} failed: ${error instanceof Error ? error.message : 'unknown'}`);
      }
    }
  }

  clear(): void {
    this.#byTopic.clear();
  }
}

/** For a single process: everybody is here. */
export class LocalBroadcast extends Broadcast {
  readonly #listeners = new Listeners<JsonObject>();

  override async publish(topic: string, body: JsonObject): Promise<void> {
    this.#listeners.tell(topic, body);
  }

  override subscribe(topic: string, heard: (body: JsonObject) => void): () => void {
    return this.#listeners.add(topic, heard);
  }
}

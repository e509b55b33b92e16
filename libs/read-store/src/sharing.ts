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

/** For a single process: everybody is here. */
export class LocalBroadcast extends Broadcast {
  readonly #listeners = new Map<string, Set<(body: JsonObject) => void>>();

  override publish(topic: string, body: JsonObject): Promise<void> {
    for (const heard of this.#listeners.get(topic) ?? []) heard(body);
    return Promise.resolve();
  }

  override subscribe(topic: string, heard: (body: JsonObject) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(heard));
    return () => listeners.delete(heard);
  }
}

import type { Handlers } from '#directory';
import type { RecordedEvent } from '#event-store';
import type { ActivityChanged } from './user.events.js';

/**
 * Deactivations that the log holds and read models do not yet: they end the access of an account at once, however long read
 * models take.
 */
export class ForeseenEnds {
  /** Positions of deactivations that have not been applied yet, by user. */
  readonly #positions = new Map<number, number>();
  readonly #listeners = new Set<(userId: number) => void>();

  readonly on: Handlers<Extract<ActivityChanged, { type: 'user.deactivated.v1' }>> = {
    'user.deactivated.v1': ({ data: { userId } }, { position }) => {
      if (this.#positions.get(userId) === position) this.#positions.delete(userId);
    },
  };

  /** Takes note of an event of the log that cannot be applied yet. Must be called in log order. */
  foresee({ type, data, position }: RecordedEvent): void {
    if (type !== 'user.deactivated.v1' && type !== 'user.reactivated.v1') return;
    const { userId } = data as { readonly userId: number };
    if (type === 'user.reactivated.v1') {
      this.#positions.delete(userId);
      return;
    }
    this.#positions.set(userId, position);
    for (const listener of this.#listeners) listener(userId);
  }

  has(userId: number): boolean {
    return this.#positions.has(userId);
  }

  /**
   * Calls the listener for each account whose deactivation is foreseen.
   * @returns a function that unsubscribes
   */
  listen(listener: (userId: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  snapshot(): undefined {
    return undefined;
  }

  restore(): void {
    // What is foreseen comes from the log.
  }
}

import type { RecordedEvent } from '#event-store';
import type { Projection } from './projection.js';

type Changing = Pick<Projection<object>, 'handles' | 'keys'>;

/**
 * What this process has shown of the log, for work that looks into read models again and again: they have nothing new
 * while no event was shown that changes them.
 */
export class ShownEvents {
  readonly #watched: { readonly projection: Changing; changedAt: number }[] = [];
  #isTold = false;

  /** Called with each event of the log when the read models have it, in order. */
  show(event: RecordedEvent): void {
    this.#isTold = true;
    for (const watched of this.#watched) {
      const { projection } = watched;
      if (projection.handles.has(event.type) && projection.keys(event).length > 0) watched.changedAt = event.position;
    }
  }

  /** @returns a function that gives the position of the latest event that changed it; undefined where events are not told */
  changesOf(projection: Changing): () => number | undefined {
    const watched = { projection, changedAt: 0 };
    this.#watched.push(watched);
    return () => (this.#isTold ? watched.changedAt : undefined);
  }
}

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

  /** @returns a function to be called with each event of the log from now on when the read models have it, in order */
  follow(): (event: RecordedEvent) => void {
    this.#isTold = true;
    return (event) => {
      this.#show(event);
    };
  }

  #show(event: RecordedEvent): void {
    for (const watched of this.#watched) {
      const { projection } = watched;
      if (projection.handles.has(event.type) && mayChange(projection, event)) watched.changedAt = event.position;
    }
  }

  /** @returns a function that gives the position of the latest event that changed it; undefined where events are not told */
  changesOf(projection: Changing): () => number | undefined {
    const watched = { projection, changedAt: 0 };
    this.#watched.push(watched);
    return () => (this.#isTold ? watched.changedAt : undefined);
  }
}

/** A projection that fails on the event is set aside by the engine, which tells why; whoever reads it is told so as well. */
function mayChange(projection: Changing, event: RecordedEvent): boolean {
  try {
    return projection.keys(event).length > 0;
  } catch {
    return true;
  }
}

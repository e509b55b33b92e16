import { Coalesced } from '#kernel';
import { Progress } from '../sharing.js';
import type { Catalog } from './catalog.js';
import type { Signals } from './signals.js';

export const PROGRESS_TOPIC = 'progress';

/** Signals may get lost: this often a listener is called whatever happened. */
const SILENCE_MAX_MS = 1_000;

export class MongoProgress extends Progress {
  readonly #reads: Coalesced<number>;

  constructor(
    catalog: Catalog,
    private readonly signals: Signals,
  ) {
    super();
    this.#reads = new Coalesced(() => catalog.progress());
  }

  override position(): Promise<number> {
    return this.#reads.run();
  }

  override watch(moved: () => void): () => void {
    const end = this.signals.listen(PROGRESS_TOPIC, moved);
    const timer = setInterval(moved, SILENCE_MAX_MS).unref();
    return () => {
      clearInterval(timer);
      end();
    };
  }
}

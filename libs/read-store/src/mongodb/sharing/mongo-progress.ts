import { SingleFlight } from '#kernel';
import { ReadStoreUnavailable } from '../../read-store.js';
import { Progress } from '../../sharing.js';
import type { Catalog } from '../catalog.js';
import type { Signals } from '../server/signals.js';

export const PROGRESS_TOPIC = 'progress';

/** Signals may be lost, so listeners are called at least this often. */
const SILENCE_MAX_MS = 1_000;

/** The longest that a request waits for it. A question without an answer by then is repeated over other connections. */
const ANSWER_LIMIT_MS = 5_000;

export class MongoProgress extends Progress {
  readonly #reads: SingleFlight<number>;

  constructor(
    catalog: Catalog,
    private readonly signals: Signals,
  ) {
    super();
    this.#reads = new SingleFlight(() => catalog.progress(), {
      limitMs: ANSWER_LIMIT_MS,
      late: () => new ReadStoreUnavailable('The read store does not say how far it has come.'),
    });
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

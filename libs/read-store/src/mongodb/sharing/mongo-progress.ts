import { SingleFlight } from '#kernel';
import { ReadStoreUnavailable } from '../../read-store.js';
import { type Advance, Progress } from '../../sharing.js';
import type { Catalog } from '../catalog.js';
import { type News, toldDocuments } from '../commit/news.js';
import type { Signals } from '../server/signals.js';

const PROGRESS_TOPIC = 'progress';

/** Signals may be lost, so listeners are called at least this often. */
const SILENCE_MAX_MS = 1_000;

/** The longest that a request waits for it. A question without an answer by then is repeated over other connections. */
const ANSWER_LIMIT_MS = 5_000;

/** The collection of signals is bounded. Larger news are read from the journal. */
const SIGNALLED_LENGTH_MAX = 32_000;

/** Tells all processes what was decided. It may be lost, and costs the writer no waiting. */
export function publishNews(signals: Signals, news: News): void {
  const { text, ...rest } = news;
  const isSmall = text !== undefined && text.length <= SIGNALLED_LENGTH_MAX;
  signals.send(PROGRESS_TOPIC, JSON.stringify(isSmall ? news : rest)).catch(() => undefined);
}

export class MongoProgress extends Progress {
  readonly #reads: SingleFlight<number>;
  readonly #watchers = new Set<(advance?: Advance) => void>();

  constructor(
    private readonly catalog: Catalog,
    private readonly signals: Signals,
  ) {
    super();
    this.#reads = new SingleFlight(() => this.#read(), {
      limitMs: ANSWER_LIMIT_MS,
      late: () => new ReadStoreUnavailable('The read store does not say how far it has come.'),
    });
  }

  override position(): Promise<number> {
    return this.#reads.run();
  }

  override watch(moved: (advance?: Advance) => void): () => void {
    this.#watchers.add(moved);
    const end = this.signals.listen(PROGRESS_TOPIC, (text) => this.#heard(JSON.parse(text) as News, moved));
    const timer = setInterval(() => moved(), SILENCE_MAX_MS).unref();
    return () => {
      clearInterval(timer);
      this.#watchers.delete(moved);
      end();
    };
  }

  async #read(): Promise<number> {
    const { passed, entries } = await this.catalog.progress();
    for (const { after, passed: upTo, news } of entries) {
      if (upTo <= after) continue;
      const advance: Advance = { after, passed: upTo, told: toldDocuments(news) };
      for (const moved of this.#watchers) moved(advance);
    }
    return passed;
  }

  #heard(news: News, moved: (advance?: Advance) => void): void {
    const { after, passed, text } = news;
    const isNew = this.catalog.learn(news);
    // What is too large for a signal, or unexpected, is asked for.
    if (isNew && text !== undefined) moved({ after, passed, told: toldDocuments(text) });
    else moved();
  }
}

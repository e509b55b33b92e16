import { SingleFlight } from '#kernel';
import { ReadStoreUnavailable } from '../../read-store.js';
import { type Advance, Progress } from '../../sharing.js';
import type { Catalog } from '../catalog.js';
import { type News, toldDocuments } from '../commit/news.js';
import type { Signals } from '../server/signals.js';

const PROGRESS_TOPIC = 'progress';

/** Signals may be lost, so listeners are called at least this often. Who waits for an event asks by itself. */
const SILENCE_MAX_MS = 5_000;

/** The longest that a request waits for it. A question without an answer by then is repeated over other connections. */
const ANSWER_LIMIT_MS = 5_000;

/** Tells all processes what was decided. It may be lost, and costs the writer no waiting. */
export function publishNews(signals: Signals, news: News): void {
  signals.send(PROGRESS_TOPIC, JSON.stringify(news)).catch(() => undefined);
}

export class MongoProgress extends Progress {
  readonly #reads: SingleFlight<number>;

  constructor(
    private readonly catalog: Catalog,
    private readonly signals: Signals,
  ) {
    super();
    this.#reads = new SingleFlight(() => this.catalog.position(), {
      limitMs: ANSWER_LIMIT_MS,
      late: () => new ReadStoreUnavailable('The read store does not say how far it has come.'),
    });
  }

  override position(): Promise<number> {
    return this.#reads.run();
  }

  override expect(): void {
    this.signals.expect();
  }

  override watch(moved: (advance?: Advance) => void): () => void {
    const end = this.signals.listen(PROGRESS_TOPIC, (text) => this.#heard(text, moved));
    const timer = setInterval(() => moved(), SILENCE_MAX_MS).unref();
    return () => {
      clearInterval(timer);
      end();
    };
  }

  #heard(said: string, moved: (advance?: Advance) => void): void {
    // A writer of a former release says only that there is something new.
    if (said === '') {
      moved();
      return;
    }
    const news = JSON.parse(said) as News;
    const { after, passed, text } = news;
    const isKnown = this.catalog.learn(news);
    // What is too large for a signal, or unexpected, is asked for.
    if (isKnown && text !== undefined) moved({ after, passed, told: toldDocuments(text) });
    else moved();
  }
}

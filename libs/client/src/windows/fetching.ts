import type { State } from '../core/state.js';
import { Backoff, Pauses, SETTLING_MS, type Surroundings, SYSTEM } from '../session/pauses.js';
import type { Outcome, Transport } from '../session/transport.js';
import type { Fields, MessagePage, NarrowTerm, ServerEvent } from '../wire/types.js';
import { runAt } from './runs.js';
import { narrowKey, opened, type Windows, withPage } from './windows.js';

const PAGE = 100;

/** Where to look, and how far. */
export interface Reach {
  readonly anchor: number | 'newest' | 'oldest' | 'first_unread';
  /** Messages before and after the anchor. */
  readonly before?: number;
  readonly after?: number;
}

export interface FetchingParts {
  readonly transport: Transport;
  readonly get: () => { readonly state: State | undefined; readonly windows: Windows };
  readonly set: (windows: Windows) => void;
  /** Changes that are shown, and that an answer may be without. */
  readonly unconfirmed: () => readonly ServerEvent[];
  readonly surroundings?: Surroundings | undefined;
}

/** A narrow that somebody looks at. */
interface Watched {
  readonly narrow: readonly NarrowTerm[];
  reach: Reach;
  /** `outdated` of the window when it was fetched. */
  seen: number;
  isFetching: boolean;
}

/** Fetches messages into windows, again where events cannot tell what is in them. */
export class Fetching {
  readonly #watched = new Map<string, Watched>();
  /** Events since each fetch in progress began. */
  readonly #inFlight = new Set<ServerEvent[]>();
  readonly #ending = new AbortController();
  readonly #surroundings: Surroundings;
  readonly #pauses: Pauses;
  /** Counts registrations: an answer from before the last one may lack events. */
  #generation = 0;
  #waiting: (() => void)[] = [];

  constructor(private readonly parts: FetchingParts) {
    this.#surroundings = parts.surroundings ?? SYSTEM;
    this.#pauses = new Pauses(this.#surroundings);
  }

  async open(narrow: readonly NarrowTerm[], reach: Reach): Promise<Outcome | undefined> {
    this.parts.set(opened(this.parts.get().windows, narrow));
    const key = narrowKey(narrow);
    const watched: Watched = { narrow, reach, seen: this.#outdatedOf(key), isFetching: true };
    this.#watched.set(key, watched);
    return this.#fetchWatched(key, watched);
  }

  close(narrow: readonly NarrowTerm[]): void {
    this.#watched.delete(narrowKey(narrow));
  }

  async more(
    narrow: readonly NarrowTerm[],
    id: number,
    side: 'older' | 'newer',
    count: number,
  ): Promise<Outcome | undefined> {
    const run = runAt(this.parts.get().windows.windows[narrowKey(narrow)]?.runs ?? [], id);
    const isOlder = side === 'older';
    if (run !== undefined && (isOlder ? run.from === 0 : run.to === Infinity)) return undefined;
    const anchor = (isOlder ? run?.ids[0] : run?.ids.at(-1)) ?? id;
    const watched = this.#watched.get(narrowKey(narrow));
    if (watched !== undefined) watched.reach = { anchor, before: PAGE, after: PAGE };
    return this.#fetch(narrow, { anchor, before: isOlder ? count : 0, after: isOlder ? 0 : count });
  }

  /** There is another state: windows are empty until they are fetched. */
  registered(): void {
    this.#generation++;
    for (const go of this.#waiting.splice(0)) go();
    this.#refresh();
  }

  applied(event: ServerEvent): void {
    for (const since of this.#inFlight) since.push(event);
    this.#refresh();
  }

  /** Resolves when no window is being fetched. */
  async settled(): Promise<void> {
    while ([...this.#watched.values()].some(({ isFetching }) => isFetching)) await this.#pauses.sleep(SETTLING_MS);
  }

  /** Tries again at once. */
  wake(): void {
    this.#pauses.wake();
  }

  stop(): void {
    this.#ending.abort();
    this.#pauses.end();
    for (const go of this.#waiting.splice(0)) go();
  }

  #outdatedOf(key: string): number {
    return this.parts.get().windows.windows[key]?.outdated ?? 0;
  }

  #refresh(): void {
    for (const [key, watched] of this.#watched) {
      if (watched.isFetching || watched.seen === this.#outdatedOf(key)) continue;
      watched.isFetching = true;
      void this.#fetchWatched(key, watched);
    }
  }

  /** Until nothing became outdated meanwhile. */
  async #fetchWatched(key: string, watched: Watched): Promise<Outcome | undefined> {
    for (;;) {
      watched.seen = this.#outdatedOf(key);
      const refused = await this.#fetch(watched.narrow, watched.reach);
      const isWatched = this.#watched.get(key) === watched && !this.#ending.signal.aborted;
      if (refused === undefined && isWatched && watched.seen !== this.#outdatedOf(key)) continue;
      watched.isFetching = false;
      return refused;
    }
  }

  async #fetch(narrow: readonly NarrowTerm[], reach: Reach): Promise<Outcome | undefined> {
    const backoff = new Backoff(this.#surroundings);
    while (!this.#ending.signal.aborted) {
      if (this.parts.get().state === undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      const since: ServerEvent[] = [...this.parts.unconfirmed()];
      const generation = this.#generation;
      this.#inFlight.add(since);
      const outcome = await this.parts.transport.send({
        method: 'GET',
        path: '/messages',
        params: paramsOf(narrow, reach),
        signal: this.#ending.signal,
      });
      this.#inFlight.delete(since);
      const { state, windows } = this.parts.get();
      if (generation !== this.#generation || state === undefined) continue;
      if (outcome.kind === 'ok') {
        const anchor = typeof reach.anchor === 'number' ? { anchor: reach.anchor } : {};
        this.parts.set(withPage(windows, narrow, outcome.body as unknown as MessagePage, { state, since, ...anchor }));
        return undefined;
      }
      if (outcome.kind === 'refused') return outcome;
      await this.#pauses.sleep(backoff.next(outcome.kind === 'later' ? outcome.afterMs : undefined));
    }
    return undefined;
  }
}

function paramsOf(narrow: readonly NarrowTerm[], { anchor, before = PAGE / 2, after = PAGE / 2 }: Reach): Fields {
  return {
    anchor,
    num_before: before,
    num_after: after,
    narrow: narrow.filter(({ operator }) => operator !== 'near'),
    apply_markdown: true,
    allow_empty_topic_name: true,
  };
}

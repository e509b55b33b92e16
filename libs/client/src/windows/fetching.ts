import type { State } from '../core/state.js';
import { Backoff, Pauses, type Surroundings } from '../session/pauses.js';
import type { Outcome, Transport } from '../session/transport.js';
import type { Fields, MessagePage, NarrowTerm, ServerEvent } from '../wire/types.js';
import { runAt } from './runs.js';
import { narrowKey, opened, refusedIn, type Window, type Windows, withoutNear, withPage } from './windows.js';

const PAGE = 100;
/** Between looks at whether there is a registration, which is told besides. */
const UNREGISTERED_MS = 60_000;

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
  readonly report: (text: string) => void;
  readonly surroundings?: Surroundings | undefined;
}

/** Tells those who look at a narrow apart; undefined is whoever calls the client without one. */
export type Looker = object | undefined;

/** A narrow that somebody looks at. */
interface Watched {
  readonly narrow: readonly NarrowTerm[];
  readonly reaches: Map<Looker, Reach>;
  /** The fetch that goes on until nothing is outdated. */
  fetch?: { asked: ReadonlyMap<string, Reach> } | undefined;
}

/** Whether what is in the window is to be fetched again, or for the first time. */
export const isStale = (window: Window | undefined): boolean => window?.outdated !== window?.fetched;

const PLACES = { newest: Infinity, oldest: 0, first_unread: NaN };

/** Fetches messages into windows, again where events cannot tell what is in them. */
export class Fetching {
  readonly #watched = new Map<string, Watched>();
  /** Events since each fetch in progress began. */
  readonly #inFlight = new Set<ServerEvent[]>();
  readonly #pauses: Pauses;
  #fetches = 0;
  /** Counts registrations: an answer from before the last one may lack events. */
  #generation = 0;

  constructor(private readonly parts: FetchingParts) {
    this.#pauses = new Pauses(parts.surroundings);
  }

  open(narrow: readonly NarrowTerm[], reach: Reach): Promise<Outcome | undefined> {
    return this.#fetchWatched(this.#watch(narrow, reach, undefined));
  }

  /** Somebody looks at the narrow there: it is fetched when it is not here, or outdated, now and later. */
  lookAt(narrow: readonly NarrowTerm[], reach: Reach, looker: Looker): void {
    const watched = this.#watched.get(narrowKey(narrow));
    const isHere = this.#windowOf(narrow) !== undefined;
    if (isHere && watched?.reaches.has(looker) === true) watched.reaches.set(looker, reach);
    else this.#watch(narrow, reach, looker);
    this.#refresh();
  }

  #watch(narrow: readonly NarrowTerm[], reach: Reach, looker: Looker): Watched {
    const key = narrowKey(narrow);
    const watched: Watched = this.#watched.get(key) ?? { narrow, reaches: new Map() };
    // Whoever comes while the same is fetched takes part in that fetch.
    const isAsked = watched.fetch?.asked.has(JSON.stringify(reach));
    const { anchor } = reach;
    const place = isAsked === true ? undefined : typeof anchor === 'number' ? anchor : PLACES[anchor];
    watched.reaches.set(looker, reach);
    this.#watched.set(key, watched);
    const windows = opened(this.parts.get().windows, narrow, { place, keeps: (one) => this.#watched.has(one) });
    this.parts.set(windows);
    // Of more than are kept, those that were looked at longest ago have gone.
    for (const one of this.#watched.keys()) if (!(one in windows.windows)) this.#watched.delete(one);
    return watched;
  }

  close(narrow: readonly NarrowTerm[], looker: Looker): void {
    const key = narrowKey(narrow);
    const reaches = this.#watched.get(key)?.reaches;
    if (reaches?.has(looker) !== true) return;
    // What is being fetched is fetched there all the same.
    if (reaches.size === 1) this.#watched.delete(key);
    else reaches.delete(looker);
  }

  async more(
    narrow: readonly NarrowTerm[],
    id: number,
    side: 'older' | 'newer',
    count: number,
    looker: Looker,
  ): Promise<Outcome | undefined> {
    const run = runAt(this.#windowOf(narrow)?.runs ?? [], id);
    const isOlder = side === 'older';
    if (run !== undefined && (isOlder ? run.from === 0 : run.to === Infinity)) return undefined;
    const anchor = (isOlder ? run?.ids[0] : run?.ids.at(-1)) ?? id;
    const reaches = this.#watched.get(narrowKey(narrow))?.reaches;
    if (reaches?.has(looker) === true) reaches.set(looker, { anchor, before: PAGE, after: PAGE });
    const reach = { anchor, before: isOlder ? count : 0, after: isOlder ? 0 : count };
    return this.#fetch(narrow, () => [reach], false);
  }

  /** There is another state: windows are empty until they are fetched. */
  registered(): void {
    this.#generation++;
    // The server is there, or there again.
    this.wake();
    this.#refresh();
  }

  applied(event: ServerEvent): void {
    for (const since of this.#inFlight) since.push(event);
    this.#refresh();
  }

  /** Whether no window is being fetched. */
  get isIdle(): boolean {
    return this.#fetches === 0;
  }

  /** Tries again at once. */
  wake(): void {
    this.#pauses.wake();
  }

  stop(): void {
    this.#pauses.end();
  }

  #windowOf(narrow: readonly NarrowTerm[]): Window | undefined {
    return this.parts.get().windows.windows[narrowKey(narrow)];
  }

  #refresh(): void {
    if (this.#pauses.isEnded) return;
    for (const watched of this.#watched.values()) {
      if (watched.fetch === undefined && isStale(this.#windowOf(watched.narrow))) void this.#fetchWatched(watched);
    }
  }

  /** Until nothing became outdated meanwhile. */
  async #fetchWatched(watched: Watched): Promise<Outcome | undefined> {
    const { narrow, reaches } = watched;
    const fetch: NonNullable<Watched['fetch']> = (watched.fetch = { asked: new Map() });
    for (;;) {
      const refused = await this.#fetch(
        narrow,
        () => {
          // Several may look at the same.
          fetch.asked = new Map([...reaches.values()].map((reach) => [JSON.stringify(reach), reach]));
          return [...fetch.asked.values()];
        },
        true,
      );
      if (watched.fetch !== fetch) return refused;
      const isWatched = this.#watched.get(narrowKey(narrow)) === watched && !this.#pauses.isEnded;
      if (isWatched && isStale(this.#windowOf(narrow))) continue;
      watched.fetch = undefined;
      return refused;
    }
  }

  /**
   * @param reaches at each attempt
   * @param isWhole whether it is all that somebody looks at, rather than more of it
   */
  async #fetch(
    narrow: readonly NarrowTerm[],
    reaches: () => readonly Reach[],
    isWhole: boolean,
  ): Promise<Outcome | undefined> {
    const backoff = new Backoff(this.#pauses.surroundings);
    this.#fetches++;
    try {
      while (!this.#pauses.isEnded) {
        const outcome = await this.#ask(narrow, reaches(), isWhole);
        if (outcome?.kind === 'ok') return undefined;
        if (outcome?.kind === 'refused') return outcome;
        if (outcome !== undefined) await this.#pauses.sleep(backoff.next(outcome.afterMs));
      }
      return undefined;
    } finally {
      this.#fetches--;
      // It may have become outdated while more of it was fetched.
      this.#refresh();
    }
  }

  /** @returns undefined when it is to be asked again: before the first registration, and for an answer from before the last one */
  async #ask(narrow: readonly NarrowTerm[], reaches: readonly Reach[], isWhole: boolean): Promise<Outcome | undefined> {
    if (this.parts.get().state === undefined) {
      // The registration ends the pause.
      await this.#pauses.sleep(UNREGISTERED_MS);
      return undefined;
    }
    const since: ServerEvent[] = [...this.parts.unconfirmed()];
    const generation = this.#generation;
    const fetched = isWhole ? (this.#windowOf(narrow)?.outdated ?? 0) : undefined;
    this.#inFlight.add(since);
    const pages = await Promise.all(
      reaches.map(async (reach) => {
        const params = paramsOf(narrow, reach);
        const outcome = await this.#pauses.cut(
          (signal) => this.parts.transport.send({ method: 'GET', path: '/messages', params, signal }),
          false,
        );
        return { outcome, anchor: typeof reach.anchor === 'number' ? reach.anchor : undefined };
      }),
    );
    this.#inFlight.delete(since);
    const { state, windows } = this.parts.get();
    if (generation !== this.#generation || state === undefined) return undefined;
    const outcome = (pages.find((page) => page.outcome.kind !== 'ok') ?? pages[0])?.outcome;
    if (outcome?.kind === 'ok')
      try {
        this.parts.set(
          pages.reduce((before, { outcome: one, anchor }) => {
            const page = (one as typeof outcome).body as unknown as MessagePage;
            return withPage(before, narrow, page, { state, since, anchor, fetched });
          }, windows),
        );
      } catch (error) {
        const reason = `An answer does not fit: ${String(error)}`;
        this.parts.report(reason);
        return { kind: 'lost', reason };
      }
    else if (outcome?.kind === 'refused' && fetched !== undefined)
      this.parts.set(refusedIn(windows, narrowKey(narrow), fetched, outcome));
    return outcome;
  }
}

function paramsOf(narrow: readonly NarrowTerm[], { anchor, before = PAGE / 2, after = PAGE / 2 }: Reach): Fields {
  return {
    anchor,
    num_before: before,
    num_after: after,
    narrow: withoutNear(narrow),
    apply_markdown: true,
    allow_empty_topic_name: true,
  };
}

/** What a list shows of a narrow: the stretch of messages that the reader is in. */
import { type Client, isSameView, narrowKey, type Outcome, type View, viewOf, type Window } from '#client';
import { words } from '../../shared/words.js';
import type { KeptPage } from './kept-state.js';
import type { Term } from './narrow.js';
import type { Message } from './wire.js';

export interface WindowState {
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly messages: readonly Message[];
  /** What a search has found in them. */
  readonly matches: Window['matches'] | undefined;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  /** First unread message when it was opened; undefined for its end. */
  readonly anchorId: number | undefined;
  readonly failure: string | undefined;
  /** Counts the loads from anew: another is another list. */
  readonly generation: number;
}

export type WindowAnchor = number | 'first_unread' | 'newest';

const NOTHING: View = { messages: [], hasOldest: false, hasNewest: false };

/** Messages of a narrow that are kept for the next visit. */
const KEPT_MAX = 100;

export class MessageWindow {
  readonly key: string;
  #view = NOTHING;
  #state: WindowState = {
    phase: 'loading',
    messages: [],
    matches: undefined,
    foundOldest: false,
    foundNewest: false,
    anchorId: undefined,
    failure: undefined,
    generation: 0,
  };
  /** A message of the stretch; undefined for the newest one. */
  #at: number | undefined;
  /** Refusal of the client's last fetch. */
  #refused: Outcome | undefined;
  #isOpening = false;
  #isLoading = false;
  /** Views that show it. */
  #lookers = 0;
  /** Whether it shows what the last visit has kept, which the server has not confirmed yet. */
  #isKept = false;

  /** @param near message that has to be in it */
  constructor(
    readonly terms: readonly Term[],
    private readonly client: Client,
    private readonly changed: () => void,
    near: number | undefined,
  ) {
    this.key = narrowKey(terms);
    if (this.#statusNow() !== 'live') this.#showKept(near);
  }

  get state(): WindowState {
    return this.#state;
  }

  /** Loads around an anchor, and opens there. What is shown stays until the answer is there. */
  async open(anchor: WindowAnchor): Promise<void> {
    const wasKept = this.#isKept;
    this.#isOpening = true;
    const refused = await this.client.open(this.terms, { anchor });
    // Meanwhile the reader has read what was kept: it stays where it is.
    if (wasKept && !this.#isKept) return;
    this.#isOpening = false;
    this.#refused = this.#windowNow()?.refused;
    this.#isKept = false;
    if (refused !== undefined) {
      this.#refuse(refused, wasKept);
      return;
    }
    this.#at = typeof anchor === 'number' ? anchor : undefined;
    const view = this.#viewNow();
    const anchorId = anchor === 'newest' ? undefined : view.messages.find(({ flags }) => !flags.includes('read'))?.id;
    if (anchor === 'first_unread') this.#at = anchorId ?? view.messages.at(-1)?.id;
    this.#view = view;
    this.#set({
      ...shownOf(view),
      matches: this.#windowNow()?.matches,
      phase: 'ready',
      anchorId,
      failure: undefined,
      generation: this.#state.generation + 1,
    });
    this.#followReader();
  }

  /**
   * A view shows it: what only the server can tell is fetched when it is due, and not while no view does.
   * @returns the end
   */
  look(): () => void {
    this.#lookers++;
    this.#followReader();
    return () => {
      if (--this.#lookers === 0) this.client.close(this.terms);
    };
  }

  /** The reader has moved to a message. */
  lookAt(id: number): void {
    this.#at = id;
    this.#followReader();
  }

  loadOlder(): void {
    const [first] = this.#state.messages;
    if (first !== undefined && !this.#state.foundOldest) this.#load(first.id, 'older');
  }

  loadNewer(): void {
    const last = this.#state.messages.at(-1);
    if (last !== undefined && !this.#state.foundNewest) this.#load(last.id, 'newer');
  }

  /** Takes over what has changed in the client. */
  update(): void {
    const { phase } = this.#state;
    if (phase === 'loading') return;
    if (this.#isKept) {
      if (this.#statusNow() !== 'offline') return;
      // The answer may be long in coming.
      this.#isKept = false;
      this.#isOpening = false;
      this.#followReader();
    }
    const { refused, matches } = this.#windowNow() ?? {};
    if (refused !== this.#refused && !this.#isOpening) {
      this.#refused = refused;
      if (refused !== undefined) this.#refuse(refused, true);
    }
    const hasFailed = this.#state.phase === 'failed';
    const view = this.#viewNow();
    // While it is fetched again there is nothing, and what was there stays.
    const isGap = view.messages.length === 0 && !view.hasNewest;
    const isSame = isSameView(view, this.#view) && matches === this.#state.matches;
    if (isGap || isSame || (hasFailed && refused !== undefined)) return;
    this.#view = view;
    this.#set({ ...shownOf(view), matches, ...(hasFailed && { phase: 'ready', failure: undefined }) });
  }

  /** What the next visit shows at once: the messages around the reader. Undefined where there is nothing, or only hits of a search. */
  kept(): KeptPage | undefined {
    const { phase, messages, foundOldest, foundNewest } = this.#state;
    const operators = this.terms.map(({ operator }) => operator);
    if (phase !== 'ready' || operators.includes('search')) return undefined;
    const window = this.#windowNow();
    // The reader may have lost a channel with some of them, which a window that has gone was not told. Direct messages are not lost.
    if ((window === undefined || window.outdated !== window.fetched) && !operators.includes('dm')) return undefined;
    const at = this.#at === undefined ? -1 : messages.findIndex(({ id }) => id >= (this.#at ?? 0));
    const middle = at === -1 ? messages.length : at;
    const from = Math.max(0, Math.min(middle - KEPT_MAX / 2, messages.length - KEPT_MAX));
    const kept = messages.slice(from, from + KEPT_MAX);
    return {
      narrow: this.terms,
      page: {
        messages: kept as unknown as KeptPage['page']['messages'],
        found_anchor: true,
        found_oldest: foundOldest && from === 0,
        found_newest: foundNewest && from + KEPT_MAX >= messages.length,
        anchor: kept[0]?.id ?? 0,
      },
    };
  }

  #showKept(near: number | undefined): void {
    const view = this.#viewNow();
    const isThere = near === undefined || view.messages.some(({ id }) => id === near);
    const isEmpty = view.messages.length === 0 && !(view.hasOldest && view.hasNewest);
    if (isEmpty || !isThere) return;
    this.#isKept = true;
    this.#view = view;
    this.#at = near;
    const anchorId = near ?? view.messages.find(({ flags }) => !flags.includes('read'))?.id;
    this.#state = { ...this.#state, ...shownOf(view), phase: 'ready', anchorId };
  }

  /** @param mayBeGone whether what is shown may be what the reader can no longer see */
  #refuse(refused: Outcome, mayBeGone: boolean): void {
    const failure = refused.kind === 'refused' ? refused.message : words.noSuchPlace;
    const isSignedOut = refused.kind === 'refused' && refused.status === 401;
    if (this.#state.phase !== 'ready' || (mayBeGone && !isSignedOut)) {
      this.#view = NOTHING;
      this.#set({ ...shownOf(NOTHING), phase: 'failed', failure });
    } else this.#set({ failure });
  }

  /** Has the client fetch it around the reader, when it has to. What is being opened is opened where it was wanted. */
  #followReader(): void {
    if (this.#lookers === 0 || this.#isOpening || this.#state.phase === 'loading') return;
    this.client.lookAt(this.terms, { anchor: this.#at ?? 'newest', before: 100, after: 100 });
  }

  #statusNow(): string {
    return this.client.store.get().status.kind;
  }

  #load(id: number, side: 'older' | 'newer'): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    void this.client
      .more(this.terms, id, side)
      .then((refused) => {
        if (refused?.kind === 'refused') this.#set({ failure: refused.message });
      })
      .finally(() => (this.#isLoading = false));
  }

  #viewNow(): View {
    return viewOf(this.client.store.get().windows, this.terms, this.#at);
  }

  #windowNow(): Window | undefined {
    return this.client.store.get().windows.windows[this.key];
  }

  #set(part: Partial<WindowState>): void {
    this.#state = { ...this.#state, ...part };
    this.changed();
  }
}

function shownOf({ messages, hasOldest, hasNewest }: View): Partial<WindowState> {
  return { messages, foundOldest: hasOldest, foundNewest: hasNewest };
}

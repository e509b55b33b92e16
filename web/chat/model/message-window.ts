/** What a list shows of a narrow: the stretch of messages that the reader is in. */
import { type Client, isSameView, narrowKey, type View, viewOf } from '#client';
import { words } from '../../shared/words.js';
import type { Term } from './narrow.js';
import type { Message } from './wire.js';

export interface WindowState {
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly messages: readonly Message[];
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

export class MessageWindow {
  readonly key: string;
  #view = NOTHING;
  #state: WindowState = {
    phase: 'loading',
    messages: [],
    foundOldest: false,
    foundNewest: false,
    anchorId: undefined,
    failure: undefined,
    generation: 0,
  };
  /** A message of the stretch; undefined for the newest one. */
  #at: number | undefined;
  #outdated = 0;
  #isLoading = false;

  constructor(
    readonly terms: readonly Term[],
    private readonly client: Client,
    private readonly changed: () => void,
  ) {
    this.key = narrowKey(terms);
  }

  get state(): WindowState {
    return this.#state;
  }

  /** Loads around an anchor, and opens there. What is shown stays until the answer is there. */
  async open(anchor: WindowAnchor): Promise<void> {
    const refused = await this.client.open(this.terms, { anchor });
    if (refused !== undefined) {
      const failure = refused.kind === 'refused' ? refused.message : words.noSuchPlace;
      this.#set({ phase: this.#state.phase === 'ready' ? 'ready' : 'failed', failure });
      return;
    }
    this.#at = typeof anchor === 'number' ? anchor : undefined;
    this.#outdated = this.#outdatedNow();
    const view = this.#viewNow();
    const anchorId = anchor === 'newest' ? undefined : view.messages.find(({ flags }) => !flags.includes('read'))?.id;
    if (anchor === 'first_unread') this.#at = anchorId ?? view.messages.at(-1)?.id;
    this.#view = view;
    this.#set({
      ...shownOf(view),
      phase: 'ready',
      anchorId,
      failure: undefined,
      generation: this.#state.generation + 1,
    });
  }

  /** The reader has moved to a message. */
  lookAt(id: number): void {
    this.#at = id;
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
    if (this.#state.phase !== 'ready') return;
    const outdated = this.#outdatedNow();
    if (outdated !== this.#outdated) {
      // Events were missed, or only the server can tell: it is fetched again around the reader.
      this.#outdated = outdated;
      const anchor = this.#state.foundNewest && this.#at === undefined ? 'newest' : (this.#at ?? 'newest');
      void this.client.open(this.terms, { anchor, before: 100, after: 100 });
    }
    const view = this.#viewNow();
    // While it is fetched again there is nothing, and what was there stays.
    const isGap = view.messages.length === 0 && !view.hasNewest;
    if (isGap || isSameView(view, this.#view)) return;
    this.#view = view;
    this.#set(shownOf(view));
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

  #outdatedNow(): number {
    return this.client.store.get().windows.windows[this.key]?.outdated ?? 0;
  }

  #set(part: Partial<WindowState>): void {
    this.#state = { ...this.#state, ...part };
    this.changed();
  }
}

function shownOf({ messages, hasOldest, hasNewest }: View): Partial<WindowState> {
  return { messages: messages as unknown as readonly Message[], foundOldest: hasOldest, foundNewest: hasNewest };
}

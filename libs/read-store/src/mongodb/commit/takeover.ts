import { placedGroups } from './entry-applier.js';
import type { BeforeStep, GuardedWrites } from './guarded-writes.js';
import type { Entry, Journal } from './journal.js';
import { assertMayWrite, StateMoved } from './state-document.js';
import type { Claim, StateDocument } from './state-document.js';
import type { StoreState } from './store-state.js';

/** What a writer goes on from. */
export interface TakenOver {
  readonly state: StoreState;
  /** Number of the last commit of this writer that was found to be decided. */
  readonly commit: number | undefined;
}

/** Applies what other processes have decided and not finished. Any number of processes may do it at once. */
export class Takeover {
  constructor(
    private readonly journal: Journal,
    private readonly document: StateDocument,
    private readonly writes: GuardedWrites,
    private readonly beforeStep: BeforeStep,
  ) {}

  /**
   * Finishes the last writer's unfinished entries and records the claim, unless it is recorded already.
   * @param again the claim has been recorded before, and is not recorded twice
   * @throws WriterReplaced
   */
  async run(claim: Claim, again: boolean): Promise<TakenOver> {
    let commit: number | undefined;
    for (;;) {
      const state = await this.document.readOrCreate();
      assertMayWrite(state, claim, again);
      const entry = await this.journal.next(state);
      if (entry !== undefined && isStray(entry, state)) {
        await this.journal.remove(entry);
      } else if (entry !== undefined) {
        assertMayWrite(entry, claim, again);
        if (entry.writer === claim.writer) commit = entry.commit;
        await this.#settle(state, entry);
      } else if (state.writer === claim.writer && state.keyed) {
        return { state, commit };
      } else {
        await this.#stamp(state, claim);
      }
    }
  }

  /** Applies the entries up to a number that is decided, for a reader that waits for them. */
  async settleUpTo(number: number): Promise<void> {
    for (;;) {
      const state = await this.document.readOrCreate();
      if (state.number >= number) return;
      const entry = await this.journal.next(state);
      if (entry === undefined || isStray(entry, state)) return;
      await this.#settle(state, entry);
    }
  }

  /** When another process was faster, its entry is applied next. */
  async #stamp(state: StoreState, claim: Claim): Promise<void> {
    const next: StoreState = { ...state, ...claim, journaled: true, keyed: true };
    await this.journal.decide(state, { position: 0, groups: [], prunes: [], next }, { stamp: true }, !state.keyed);
  }

  async #settle(state: StoreState, entry: Entry): Promise<void> {
    await this.writes.apply(placedGroups(entry));
    for (const prune of entry.prunes) await this.writes.prune(prune);
    await this.beforeStep('state');
    try {
      await this.document.replace(state, entry.state);
    } catch (error) {
      if (!(error instanceof StateMoved)) throw error;
    }
  }
}

/**
 * Whether an entry was made for another state: its writer had seen more commits than there are since an older state was put
 * back. It would bring checkpoints without the documents before them.
 */
function isStray({ writer, stamp }: Entry, state: StoreState): boolean {
  return stamp === undefined && writer !== state.writer;
}

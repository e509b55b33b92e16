import { ReadStoreDamaged } from '../../read-store.js';
import type { BeforeStep, GuardedWrites } from './guarded-writes.js';
import { isStray } from './journal.js';
import type { Entry, Journal } from './journal.js';
import { placedGroups } from './placed-operations.js';
import { assertMayWrite, StateMoved } from './state-document.js';
import type { Claim, StateDocument } from './state-document.js';
import { EMPTY_STATE } from './store-state.js';
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
      const entry = await this.#next(state);
      if (entry === APPLIED) continue;
      if (entry !== undefined && isStray(entry, state)) {
        await this.journal.remove(entry);
      } else if (entry !== undefined) {
        assertMayWrite(entry, claim, again);
        if (entry.writer === claim.writer) commit = entry.commit;
        await this.#settle(state, entry);
      } else if (state.writer === claim.writer && state.keyed) {
        if (!again) await this.journal.removeBeyond(state.number, claim.term);
        // A reader may have applied it.
        commit ??= again ? await this.journal.commitOf(claim.writer, state.number) : undefined;
        return { state, commit };
      } else {
        await this.#stamp(state, claim);
      }
    }
  }

  /** Applies the entries up to a number that is decided, for a reader that waits for them. */
  async settleUpTo(number: number): Promise<void> {
    for (;;) {
      const state = await this.document.read();
      if (state === EMPTY_STATE || state.number >= number) return;
      const entry = await this.#next(state);
      if (entry === APPLIED) continue;
      if (entry === undefined || isStray(entry, state)) return;
      await this.#settle(state, entry);
    }
  }

  /**
   * Removes again the ranges that the entries from a number on remove, as far as the journal still has them. For whoever
   * has written documents and was not the only one: a late insert brings back what was removed with a range meanwhile.
   */
  async pruneAgain(from: number): Promise<void> {
    const state = await this.document.read();
    for (const prune of await this.journal.prunes(from, state)) await this.writes.prune(prune);
  }

  /** The entry after a state, unless it was applied, and its parts were removed, while they were being read. */
  async #next(state: StoreState): Promise<Entry | typeof APPLIED | undefined> {
    try {
      return await this.journal.next(state);
    } catch (error) {
      if (!(error instanceof ReadStoreDamaged)) throw error;
      const { number } = await this.document.read();
      if (number <= state.number) throw error;
      return APPLIED;
    }
  }

  /** When another process was faster, its entry is applied next. */
  async #stamp(state: StoreState, claim: Claim): Promise<void> {
    const next: StoreState = { ...state, ...claim, journaled: true, keyed: true };
    await this.journal.decide(state, { position: 0, groups: [], prunes: [], next }, { stamp: true }, !state.keyed);
  }

  async #settle(state: StoreState, entry: Entry): Promise<void> {
    await this.writes.apply(placedGroups(entry), true);
    for (const prune of entry.prunes) await this.writes.prune(prune);
    await this.beforeStep('state');
    try {
      await this.document.replace(state, entry.state);
    } catch (error) {
      if (!(error instanceof StateMoved)) throw error;
      await this.pruneAgain(entry.number);
    }
  }
}

const APPLIED = 'applied';

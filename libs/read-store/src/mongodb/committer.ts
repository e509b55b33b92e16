import { ReadStoreUnavailable } from '../read-store.js';
import type { StoreState } from './store-state.js';
import type { CommitPlan } from './commit-plan.js';

/** Who wants to write. */
export interface Claim {
  readonly term: number;
  /** A name that no other opening of the store has. */
  readonly writer: string;
}

/** How several documents change together: that depends on what the server can do. */
export interface Committer {
  /**
   * Finishes what the last writer left unfinished and puts the claim in its place, or finds it there. Answers with the state
   * as it then is. `again` when the claim has been in place before: it is not put there twice.
   * @throws WriterReplaced
   */
  takeOver(claim: Claim, again: boolean): Promise<StoreState>;

  /**
   * All of the plan, or nothing. Answers with the state as it then is.
   * @throws StateMoved when the state is no longer the one that the plan was made for: taking over again tells why.
   */
  commit(state: StoreState, plan: CommitPlan): Promise<StoreState>;

  /** Clears away what nobody needs any more, between two commits. */
  tidy(): Promise<void>;

  /** Clears away what nobody asks for any more once this state is reached. It may take seconds, and goes on beside commits. */
  forget(state: StoreState): Promise<void>;
}

/** Another writer has taken over, or a commit of our own was done whose answer was lost. */
export class StateMoved extends ReadStoreUnavailable {
  constructor() {
    super('The read store has moved on.');
    this.name = 'StateMoved';
  }
}

/** For tests that end or hold up a commit between any two of its steps. */
export type BeforeStep = (step: string) => Promise<void>;

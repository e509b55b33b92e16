import { ReadStoreUnavailable, WriterReplaced } from '../../read-store.js';
import { DUPLICATE_KEY, hasCode } from '../server/mongo-failure.js';
import type { MongoServer } from '../server/mongo-server.js';
import { EMPTY_STATE, STATE_COLLECTION, STATE_ID, stateCollection } from './store-state.js';
import type { StoreState } from './store-state.js';

/** The document has a few kilobytes, and every send waits for the end of a commit. */
const REPLACE_LIMIT_MS = 2_000;

/** Claim of a process to be the writer. */
export interface Claim {
  readonly term: number;
  /** A name that is unique to one opening of the store. */
  readonly writer: string;
}

/** Another writer has taken over, or the answer to a commit of this process was lost: taking over again tells which. */
export class StateMoved extends ReadStoreUnavailable {
  constructor() {
    super('The read store has moved on.');
    this.name = 'StateMoved';
  }
}

/** The state document, for writers. */
export class StateDocument {
  constructor(private readonly server: MongoServer) {}

  async read(): Promise<StoreState> {
    const found = await stateCollection(this.server).findOne({ _id: STATE_ID });
    return found ?? EMPTY_STATE;
  }

  /** Number of the last entry that it counts. */
  async number(): Promise<number> {
    const found = await stateCollection(this.server).findOne({ _id: STATE_ID }, { projection: { number: 1 } });
    return found?.number ?? EMPTY_STATE.number;
  }

  /** Reads the state; creates it when missing. */
  async readOrCreate(): Promise<StoreState> {
    const found = await this.read();
    if (found !== EMPTY_STATE) return found;
    try {
      await stateCollection(this.server).insertOne(EMPTY_STATE);
    } catch (error) {
      if (!hasCode(error, DUPLICATE_KEY)) throw error;
    }
    return this.read();
  }

  /**
   * Replaces the state if it has not changed.
   * @throws StateMoved
   */
  async replace({ writer, number }: StoreState, next: StoreState): Promise<void> {
    const { _id, ...replacement } = next;
    const states = this.server.collectionWithin<StoreState>(REPLACE_LIMIT_MS, STATE_COLLECTION);
    const replaced = await states.replaceOne({ _id, writer, number }, replacement);
    if (replaced === 0) throw new StateMoved();
  }
}

/** @throws WriterReplaced when another process is the writer, or was since this claim was recorded */
export function assertMayWrite({ term, writer }: Claim, claim: Claim, again: boolean): void {
  if (writer !== claim.writer && (again || term > claim.term)) throw new WriterReplaced();
}

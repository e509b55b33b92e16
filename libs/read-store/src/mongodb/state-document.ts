import type { ClientSession } from 'mongodb';
import { WriterReplaced } from '../read-store.js';
import { StateMoved } from './committer.js';
import type { Claim } from './committer.js';
import { DUPLICATE_KEY, hasCode } from './mongo-failure.js';
import { OPERATION_MS } from './mongo-server.js';
import type { MongoServer } from './mongo-server.js';
import { EMPTY_STATE, STATE_ID, stateCollection } from './store-state.js';
import type { StoreState } from './store-state.js';

/** The state's document as writers see it. */
export class StateDocument {
  constructor(private readonly server: MongoServer) {}

  async read(): Promise<StoreState> {
    const found = await stateCollection(this.server).findOne({ _id: STATE_ID }, { maxTimeMS: OPERATION_MS });
    return found ?? EMPTY_STATE;
  }

  /** What is there, made where it is missing. */
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

  /** Puts the next state in place of one that is still as it was. @throws StateMoved */
  async replace({ writer, number }: StoreState, next: StoreState, session?: ClientSession): Promise<void> {
    const { _id, ...replacement } = next;
    const { matchedCount } = await stateCollection(this.server).replaceOne(
      { _id, writer, number },
      replacement,
      session === undefined ? {} : { session },
    );
    if (matchedCount === 0) throw new StateMoved();
  }

  /** Makes another the writer, unless that happened meanwhile. */
  async claim({ _id, writer }: StoreState, claim: Claim): Promise<void> {
    await stateCollection(this.server).updateOne({ _id, writer }, { $set: { ...claim, journaled: false } });
  }
}

/** @throws WriterReplaced when somebody else has the say, or had it since this claim was in place. */
export function assertMayWrite({ term, writer }: Claim, claim: Claim, again: boolean): void {
  if (writer !== claim.writer && (again || term > claim.term)) throw new WriterReplaced();
}

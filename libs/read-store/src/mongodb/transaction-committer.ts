import type { ClientSession } from 'mongodb';
import type { Key } from '../read-store.js';
import { bulkOperations } from './commit-plan.js';
import type { CommitPlan, OperationGroup } from './commit-plan.js';
import type { Claim, Committer } from './committer.js';
import type { StoredDocument } from './document-codec.js';
import type { Journal } from './journal.js';
import { DUPLICATE_KEY, hasCode, unwrapped } from './mongo-failure.js';
import { OPERATION_MS } from './mongo-server.js';
import type { MongoServer } from './mongo-server.js';
import { assertMayWrite } from './state-document.js';
import type { StateDocument } from './state-document.js';
import type { StoreState } from './store-state.js';

/** Commits on replica sets and sharded clusters: one transaction, whose first write asks whether we still have the say. */
export class TransactionCommitter implements Committer {
  constructor(
    private readonly server: MongoServer,
    private readonly document: StateDocument,
    /** Of a time when the server had no transactions. */
    private readonly journal: Journal,
  ) {}

  async takeOver(claim: Claim, again: boolean): Promise<StoreState> {
    for (;;) {
      const state = await this.document.readOrCreate();
      assertMayWrite(state, claim, again);
      if (state.writer === claim.writer) return state;
      const settled = state.journaled ? await this.journal.leave(state, claim) : state;
      await this.document.claim(settled, claim);
    }
  }

  async commit(state: StoreState, plan: CommitPlan): Promise<StoreState> {
    const next = { ...plan.next, number: state.number + 1 };
    const overtaken = await this.#overtaken(plan);
    try {
      await this.#commit(state, next, plan, overtaken, false);
    } catch (error) {
      if (!hasCode(unwrapped(error), DUPLICATE_KEY)) throw error;
      // A commit is repeated whose answer was lost: what it calls new is there already.
      await this.#commit(state, next, plan, overtaken, true);
    }
    return next;
  }

  async tidy(): Promise<void> {
    // Removals leave nothing behind.
  }

  async forget(): Promise<void> {
    // Commits neither.
  }

  #commit(
    state: StoreState,
    next: StoreState,
    plan: CommitPlan,
    overtaken: readonly ReadonlySet<Key>[],
    upserts: boolean,
  ): Promise<void> {
    return this.server.transaction(async (session) => {
      await this.document.replace(state, next, session);
      for (const [index, group] of plan.groups.entries()) {
        await this.#write(session, group, plan.position, overtaken[index] ?? NONE, upserts);
      }
      for (const { physical, below } of plan.prunes) {
        await this.server.collection<StoredDocument>(physical).deleteMany({ _id: { $lt: below } }, { session });
      }
    });
  }

  async #write(
    session: ClientSession,
    group: OperationGroup,
    position: number,
    overtaken: ReadonlySet<Key>,
    upserts: boolean,
  ): Promise<void> {
    const bulk = bulkOperations(group, position, overtaken, upserts);
    if (bulk.length === 0) return;
    await this.server.collection<StoredDocument>(group.physical).bulkWrite(bulk, { session, ordered: false });
  }

  /**
   * By group, the documents that a later position has written. Asked before the transaction: nobody but this writer changes
   * them, one commit at a time, as long as it has the say, and the transaction makes sure of that.
   */
  #overtaken({ groups, position }: CommitPlan): Promise<ReadonlySet<Key>[]> {
    return Promise.all(
      groups.map(async ({ physical, operations, mayBeOvertaken }) => {
        if (!mayBeOvertaken) return NONE;
        const wanted = { _id: { $in: operations.map(({ k }) => k) }, p: { $gt: position } };
        const newer = await this.server
          .collection<StoredDocument>(physical)
          .find(wanted, { projection: { _id: 1 }, maxTimeMS: OPERATION_MS })
          .toArray();
        return new Set(newer.map(({ _id }) => _id));
      }),
    );
  }
}

const NONE: ReadonlySet<Key> = new Set();

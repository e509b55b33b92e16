import { BSON } from 'mongodb';
import { ReadStoreDamaged } from '../../read-store.js';
import type { CommitPlan, Operation, Operations, PlannedPrune } from './commit-plan.js';
import { GuardedWrites } from './guarded-writes.js';
import type { BeforeStep, KnownPositions } from './guarded-writes.js';
import { DUPLICATE_KEY, hasCode } from '../server/mongo-failure.js';
import type { MongoServer } from '../server/mongo-server.js';
import { assertMayWrite, StateMoved } from './state-document.js';
import type { Claim, StateDocument } from './state-document.js';
import type { StoreState } from './store-state.js';

/** A decided commit. Numbers have no gaps, and each is assigned once. */
interface Entry {
  readonly _id: number;
  readonly term: number;
  readonly writer: string;
  readonly position: number;
  readonly state: StoreState;
  readonly groups: readonly Operations[];
  readonly prunes: readonly PlannedPrune[];
  /** Number of the commit among those of its writer. */
  readonly commit?: number;
  /** Documents with the operations, when they are too many for this one. */
  readonly parts?: readonly string[];
  /** First entry of a writer: kept for ever, so that its predecessor's next number stays taken. */
  readonly stamp?: true;
}

interface EntryPart {
  readonly _id: string;
  readonly number: number;
  readonly groups: readonly Operations[];
}

const JOURNAL = 'journal';
const PARTS = 'journal-parts';

/** A document may hold eight times as much, but a call has a timeout, also on a slow server. */
const PART_BYTES_MAX = 2_000_000;
/** Applied entries that are kept, in case a server is less atomic than it claims. */
const ENTRIES_KEPT = 20;
/** Tombstones are kept for longer than any writer that lost its lease can still be writing. */
const MARKS_KEPT_MS = 300_000;

/**
 * Commit journal. A commit is first inserted as a journal entry under the next number, which decides it: no other
 * process can insert that number. Then it is applied, by its writer or by the next one. Every write is guarded by its
 * position, so an entry may be applied any number of times, at any time.
 * Each step waits for a majority of a replica set. So no election rolls back a decided entry, and `state` reports an
 * entry as applied only when no election can roll back its documents; until then it is applied again.
 */
export class Journal {
  readonly #writes: GuardedWrites;
  readonly #removedAtMs = new Map<string, number>();
  #partsWritten = 0;
  #decided: number | undefined;

  constructor(
    private readonly server: MongoServer,
    private readonly document: StateDocument,
    private readonly beforeStep: BeforeStep,
  ) {
    this.#writes = new GuardedWrites(server, beforeStep);
  }

  /** Number of the last commit of this writer that is known to be decided. A takeover has applied it. */
  get decided(): number | undefined {
    return this.#decided;
  }

  /**
   * Finishes the last writer's unfinished work and records the claim, unless it is recorded already.
   * @param again the claim has been recorded before, and is not recorded twice
   * @returns the state after it
   * @throws WriterReplaced
   */
  async takeOver(claim: Claim, again: boolean): Promise<StoreState> {
    for (;;) {
      const state = await this.document.readOrCreate();
      assertMayWrite(state, claim, again);
      const entry = await this.#entry(state.number + 1);
      if (entry !== undefined && isStray(entry, state)) {
        await this.server.quickCollection<Entry>(JOURNAL).deleteMany({ _id: entry._id, writer: entry.writer });
      } else if (entry !== undefined) {
        assertMayWrite(entry, claim, again);
        if (entry.writer === claim.writer) this.#decided = entry.commit;
        await this.#settle(state, entry);
      } else if (state.writer === claim.writer) {
        // Also cleans up what an earlier process removed.
        for (const { physical } of Object.values(state.collections)) this.#removedAtMs.set(physical, Date.now());
        return state;
      } else {
        const next = { ...state, ...claim, journaled: true };
        // When another process was faster, its entry is applied next.
        await this.#decide(next, { position: 0, groups: [], prunes: [], next }, [[]], { stamp: true });
      }
    }
  }

  /**
   * Commits all of the plan, or nothing.
   * @param commit number of the commit, if it may be repeated after a failure
   * @returns the state after it
   * @throws StateMoved when the state is no longer the one that the plan was made for
   */
  async commit(state: StoreState, plan: CommitPlan, commit?: number): Promise<StoreState> {
    const portions = packed(plan.groups);
    const known = this.#writes.known(portions.flat());
    const numbered = commit === undefined ? {} : { commit };
    const [entry, positions] = await Promise.all([this.#decide(state, plan, portions, numbered), known]);
    if (entry === undefined) throw new StateMoved();
    this.#decided = commit;
    await this.#apply(state, entry, positions);
    return entry.state;
  }

  /**
   * Removes old entries, in parallel with commits. FerretDB scans all entries for any such filter, so it is asked once,
   * and may take seconds.
   */
  async forget({ number }: StoreState): Promise<void> {
    const applied = { $lte: number - ENTRIES_KEPT };
    await this.server.collection<Entry>(JOURNAL).deleteMany({ _id: applied, stamp: { $exists: false } });
    await this.server.collection<EntryPart>(PARTS).deleteMany({ number: applied });
  }

  /** Removes old tombstones, between two commits. */
  async tidy(): Promise<void> {
    const nowMs = Date.now();
    for (const [physical, atMs] of this.#removedAtMs) {
      if (nowMs - atMs < MARKS_KEPT_MS) continue;
      this.#removedAtMs.delete(physical);
      await this.#writes.removeMarks(physical, nowMs - MARKS_KEPT_MS);
    }
  }

  /**
   * Inserts the next entry; undefined when its number is taken: by a successor, or by an attempt of this process whose
   * answer was lost.
   */
  async #decide(
    { term, writer }: Claim,
    { position, prunes, next }: CommitPlan,
    portions: Portions,
    kind: Pick<Entry, 'commit' | 'stamp'>,
  ): Promise<Entry | undefined> {
    const number = next.number + 1;
    const state = { ...next, number };
    const entry = { _id: number, term, writer, position, state, prunes, ...kind };
    const [only, ...others] = portions;
    const parts = others.length === 0 ? [] : await this.#writeParts(number, writer, portions);
    const inside = parts.length === 0 ? { groups: only ?? [] } : { groups: [], parts };
    await this.beforeStep('decide');
    try {
      await this.server.quickCollection<Entry>(JOURNAL).insertOne({ ...entry, ...inside });
    } catch (error) {
      if (hasCode(error, DUPLICATE_KEY)) return undefined;
      throw error;
    }
    return { ...entry, groups: portions.flat() };
  }

  async #writeParts(number: number, writer: string, parts: Portions): Promise<string[]> {
    const ids: string[] = [];
    for (const groups of parts) {
      const _id = `${number}-${writer}-${++this.#partsWritten}`;
      await this.beforeStep('part');
      await this.server.collection<EntryPart>(PARTS).insertOne({ _id, number, groups });
      ids.push(_id);
    }
    return ids;
  }

  async #entry(number: number): Promise<Entry | undefined> {
    const found = await this.server.collection<Entry>(JOURNAL).findOne({ _id: number });
    if (found === null) return undefined;
    if (found.parts === undefined) return found;
    const groups: Operations[] = [];
    for (const _id of found.parts) {
      const part = await this.server.collection<EntryPart>(PARTS).findOne({ _id });
      if (part === null) {
        throw new ReadStoreDamaged(
          `The read store's journal lacks a part of entry ${number}. Drop the database ${this.server.databaseName}: ` +
            'the read models are built again from the log (live queues are lost).',
        );
      }
      groups.push(...part.groups);
    }
    return { ...found, groups };
  }

  /** Applies a decided entry. Other processes may be applying it too. */
  async #settle(state: StoreState, entry: Entry): Promise<void> {
    try {
      await this.#apply(state, entry, await this.#writes.known(entry.groups));
    } catch (error) {
      if (!(error instanceof StateMoved)) throw error;
    }
  }

  async #apply(state: StoreState, entry: Entry, known: readonly KnownPositions[]): Promise<void> {
    const { position, groups, prunes, state: next } = entry;
    await this.#writes.apply(groups, position, known);
    for (const { physical, operations } of groups) {
      if (operations.some(({ gone }) => gone !== undefined)) this.#removedAtMs.set(physical, Date.now());
    }
    for (const prune of prunes) {
      await this.beforeStep('prune');
      await this.#writes.prune(prune);
    }
    await this.beforeStep('state');
    await this.document.replace(state, next);
  }
}

/**
 * Whether an entry was made for another state: its writer had seen more commits than there are since an older state was put
 * back. It would bring checkpoints without the documents before them.
 */
function isStray({ writer, stamp }: Entry, state: StoreState): boolean {
  return stamp === undefined && writer !== state.writer;
}

/** Groups of operations, in portions that fit into a document. */
type Portions = readonly (readonly Operations[])[];

/** Splits groups so that no portion is larger than one call should be. There is at least one portion. */
function packed(groups: readonly Operations[]): Portions {
  const parts: Operations[][] = [];
  let part: Operations[] = [];
  let bytes = 0;
  for (const { physical, operations } of groups) {
    let open: Operation[] = [];
    part.push({ physical, operations: open });
    for (const operation of operations) {
      const size = BSON.calculateObjectSize(operation);
      if (bytes > 0 && bytes + size > PART_BYTES_MAX) {
        parts.push(part);
        open = [];
        part = [{ physical, operations: open }];
        bytes = 0;
      }
      open.push(operation);
      bytes += size;
    }
  }
  parts.push(part);
  return parts;
}

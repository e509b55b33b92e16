import { BSON } from 'mongodb';
import { ReadStoreDamaged } from '../read-store.js';
import type { CommitPlan, Operation, Operations, PlannedPrune } from './commit-plan.js';
import { StateMoved } from './committer.js';
import type { BeforeStep, Claim, Committer } from './committer.js';
import { GuardedWrites } from './guarded-writes.js';
import type { KnownPositions } from './guarded-writes.js';
import { DUPLICATE_KEY, hasCode } from './mongo-failure.js';
import { OPERATION_MS } from './mongo-server.js';
import type { MongoServer } from './mongo-server.js';
import { assertMayWrite } from './state-document.js';
import type { StateDocument } from './state-document.js';
import type { StoreState } from './store-state.js';

/** A commit that has been decided. Numbers have no gaps, and each is given once. */
interface Entry {
  readonly _id: number;
  readonly term: number;
  readonly writer: string;
  readonly position: number;
  readonly state: StoreState;
  readonly groups: readonly Operations[];
  readonly prunes: readonly PlannedPrune[];
  /** Where the operations are when they are too many for this document. */
  readonly parts?: readonly string[];
  /** A writer's first entry: kept for ever, so that its predecessor's next number is taken for ever. */
  readonly stamp?: true;
}

interface EntryPart {
  readonly _id: string;
  readonly number: number;
  readonly groups: readonly Operations[];
}

const JOURNAL = 'journal';
const PARTS = 'journal-parts';

/** Half of what one document may hold. */
const PART_BYTES_MAX = 8_000_000;
/** Applied entries that are kept, should a server not be as atomic as it says. */
const ENTRIES_KEPT = 20;
/** Marks of removed documents are kept for longer than any writer that lost its lease can still be at it. */
const MARKS_KEPT_MS = 300_000;

/**
 * Commits on servers without transactions. A commit is first written down as a journal entry under the next number: whoever
 * inserts that number has decided it, and nobody else can. Then it is applied, by whoever comes first: its writer, or the
 * next one. Every write is guarded by its position, so an entry may be applied any number of times, at any time.
 */
export class Journal implements Committer {
  readonly #writes: GuardedWrites;
  readonly #removedAtMs = new Map<string, number>();
  #partsWritten = 0;

  constructor(
    private readonly server: MongoServer,
    private readonly document: StateDocument,
    private readonly beforeStep: BeforeStep,
  ) {
    this.#writes = new GuardedWrites(server, beforeStep);
  }

  async takeOver(claim: Claim, again: boolean): Promise<StoreState> {
    for (;;) {
      const state = await this.document.readOrCreate();
      assertMayWrite(state, claim, again);
      const entry = await this.#entry(state.number + 1);
      if (entry !== undefined) {
        assertMayWrite(entry, claim, again);
        await this.#settle(state, entry);
      } else if (state.writer === claim.writer) {
        // What an earlier process removed is cleared away too.
        for (const { physical } of Object.values(state.collections)) this.#removedAtMs.set(physical, Date.now());
        return state;
      } else {
        const next = { ...state, ...claim, journaled: true };
        // When somebody else was faster, his entry is looked at next.
        await this.#decide(next, { position: 0, groups: [], prunes: [], next }, true);
      }
    }
  }

  async commit(state: StoreState, plan: CommitPlan): Promise<StoreState> {
    const [entry, known] = await Promise.all([this.#decide(state, plan, false), this.#writes.known(plan.groups)]);
    if (entry === undefined) throw new StateMoved();
    await this.#apply(state, entry, known);
    return entry.state;
  }

  /** FerretDB reads all entries to find old ones, by whatever they are named: so it is asked once. */
  async forget({ number }: StoreState): Promise<void> {
    const applied = { $lte: number - ENTRIES_KEPT };
    await this.server.collection<Entry>(JOURNAL).deleteMany({ _id: applied, stamp: { $exists: false } });
    await this.server.collection<EntryPart>(PARTS).deleteMany({ number: applied });
  }

  async tidy(): Promise<void> {
    const nowMs = Date.now();
    for (const [physical, atMs] of this.#removedAtMs) {
      if (nowMs - atMs < MARKS_KEPT_MS) continue;
      this.#removedAtMs.delete(physical);
      await this.#writes.removeMarks(physical, nowMs - MARKS_KEPT_MS);
    }
  }

  /** Applies what is left, and takes all marks away: from now on there are transactions. */
  async leave(state: StoreState, claim: Claim): Promise<StoreState> {
    let settled = state;
    for (;;) {
      const entry = await this.#entry(settled.number + 1);
      if (entry === undefined) break;
      assertMayWrite(entry, claim, false);
      await this.#settle(settled, entry);
      settled = await this.document.read();
    }
    for (const { physical } of Object.values(settled.collections)) await this.#writes.removeMarks(physical, Infinity);
    return settled;
  }

  /** Writes the next entry; undefined when its number is taken: by a successor, or by a try of ours whose answer was lost. */
  async #decide(claim: Claim, plan: CommitPlan, stamp: boolean): Promise<Entry | undefined> {
    const { term, writer } = claim;
    const { position, prunes, next } = plan;
    const number = next.number + 1;
    const groups = plan.groups.map(({ physical, operations }) => ({ physical, operations }));
    const state = { ...next, number };
    const entry = { _id: number, term, writer, position, state, prunes, ...(stamp && { stamp }) };
    const portions = packed(groups);
    const [only, ...others] = portions;
    const parts = others.length === 0 ? [] : await this.#writeParts(number, writer, portions);
    const inside = parts.length === 0 ? { groups: only ?? [] } : { groups: [], parts };
    await this.beforeStep('decide');
    try {
      await this.server.collection<Entry>(JOURNAL).insertOne({ ...entry, ...inside });
    } catch (error) {
      if (hasCode(error, DUPLICATE_KEY)) return undefined;
      throw error;
    }
    return { ...entry, groups };
  }

  async #writeParts(number: number, writer: string, parts: readonly (readonly Operations[])[]): Promise<string[]> {
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
    const found = await this.server.collection<Entry>(JOURNAL).findOne({ _id: number }, { maxTimeMS: OPERATION_MS });
    if (found === null) return undefined;
    if (found.parts === undefined) return found;
    const groups: Operations[] = [];
    for (const _id of found.parts) {
      const part = await this.server.collection<EntryPart>(PARTS).findOne({ _id }, { maxTimeMS: OPERATION_MS });
      if (part === null) {
        throw new ReadStoreDamaged(
          `The read store's journal lacks a part of entry ${number}. Drop the database ${this.server.database.databaseName}: ` +
            'the read models are built again from the log (live queues are lost).',
        );
      }
      groups.push(...part.groups);
    }
    return { ...found, groups };
  }

  /** Applies what was decided earlier. Others may be at it too. */
  async #settle(state: StoreState, entry: Entry): Promise<void> {
    try {
      await this.#apply(state, entry, await this.#writes.known(entry.groups));
    } catch (error) {
      if (!(error instanceof StateMoved)) throw error;
    }
  }

  async #apply(state: StoreState, entry: Entry, known: readonly KnownPositions[]): Promise<void> {
    const { position, groups, prunes, state: next } = entry;
    // In turn: a server that has one writer at a time makes others wait longer than that.
    for (const [index, group] of groups.entries()) {
      const { physical, operations } = group;
      await this.#writes.apply(group, position, known[index] ?? new Map());
      if (operations.some(({ gone }) => gone !== undefined)) this.#removedAtMs.set(physical, Date.now());
    }
    for (const { physical, below } of prunes) {
      await this.beforeStep('prune');
      await this.#writes.prune(physical, below);
    }
    await this.beforeStep('state');
    await this.document.replace(state, next);
  }
}

/** The operations in portions that fit into a document each. */
function packed(groups: readonly Operations[]): readonly (readonly Operations[])[] {
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

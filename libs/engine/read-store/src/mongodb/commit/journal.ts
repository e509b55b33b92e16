import { ReadStoreDamaged } from '../../read-store.js';
import { DUPLICATE_KEY, hasCode } from '../server/mongo-failure.js';
import type { MongoServer } from '../server/mongo-server.js';
import type { CommitPlan, Operations, PlannedPrune } from './commit-plan.js';
import { packed } from './entry-parts.js';
import type { BeforeStep } from './guarded-writes.js';
import { changed, changeOf, type StateChange } from './state-change.js';
import type { StoreState } from './store-state.js';

/** A decided commit. Numbers have no gaps, and each is assigned once. */
export interface Entry {
  readonly number: number;
  readonly term: number;
  readonly writer: string;
  readonly position: number;
  /** The state after it. */
  readonly state: StoreState;
  readonly groups: readonly Operations[];
  readonly prunes: readonly PlannedPrune[];
  /** Number of the commit among those of its writer. */
  readonly commit?: number;
  /** First entry of a writer: kept for ever, so that its predecessor's next number stays taken. */
  readonly stamp?: true;
}

interface StoredEntry extends Omit<Entry, 'state'> {
  /** Text; a number for entries of releases that applied each commit before they decided the next. */
  readonly _id: string | number;
  readonly change?: StateChange;
  /** Of those releases. */
  readonly state?: StoreState;
  readonly passed: number;
  readonly revision: number;
  /** Documents with the operations, when they are too many for this one. */
  readonly parts?: readonly string[];
}

interface EntryPart {
  readonly _id: string;
  readonly number: number;
  readonly groups: readonly Operations[];
}

/** What readers learn of an entry. */
export type EntryHead = Pick<StoredEntry, 'number' | 'writer' | 'passed' | 'revision' | 'stamp'>;

/** What entries lead to, and whether there is no gap behind it. */
export interface Followed<Last> {
  readonly newest: Last;
  readonly isWhole: boolean;
}

/** What an entry says beside its plan. */
export type EntryKind = Pick<StoredEntry, 'commit' | 'stamp'>;

const JOURNAL = 'journal';
const PARTS = 'journal-parts';
const HEAD = { number: 1, writer: 1, passed: 1, revision: 1, stamp: 1 } as const;

/** Applied entries that are kept: readers ask for the one after the last that they know. */
const ENTRIES_KEPT = 20;
/** Entries that a reader takes at once. */
const HEADS_MAX = 256;

/** A text: not every server looks numbers up by an index. */
function entryKey(number: number): string {
  return String(number).padStart(16, '0');
}

/**
 * Commit journal. A commit is inserted as a journal entry under the next number, which decides it: no other process can
 * insert that number. It is applied afterwards, in order, by its writer or by any other process (`EntryApplier`).
 * An entry waits for a majority of a replica set, so no election rolls back a decided one. Readers ask for entries all the time:
 * on a server that reads all of them for each question, an entry has its operations in parts.
 */
export class Journal {
  #partsWritten = 0;

  constructor(
    private readonly server: MongoServer,
    private readonly beforeStep: BeforeStep,
  ) {}

  /**
   * Inserts the next entry; undefined when its number is taken: by a successor, or by an attempt of this process whose
   * answer was lost.
   * @param isFormer takes the number from writers of a former release, which number entries by numbers
   */
  async decide(
    before: StoreState,
    { position, groups, prunes, next }: CommitPlan,
    kind: EntryKind,
    isFormer = false,
  ): Promise<Entry | undefined> {
    const { term, writer, passed, revision } = next;
    const number = next.number + 1;
    const entry = { number, term, writer, position, prunes, ...kind };
    const change = changeOf(before, next);
    const { findsByKey } = this.server.capabilities;
    const portions = packed(groups);
    const [only = [], ...others] = portions;
    const isInside = others.length === 0 && (findsByKey || only.length === 0);
    const parts = isInside ? [] : await this.#writeParts(number, writer, portions);
    const inside = isInside ? { groups: only } : { groups: [], parts };
    await this.beforeStep('decide');
    try {
      const _id = isFormer ? number : entryKey(number);
      const journal = this.server.quickCollection<StoredEntry>(JOURNAL);
      await journal.insertOne({ _id, ...entry, passed, revision, change, ...inside });
    } catch (error) {
      if (hasCode(error, DUPLICATE_KEY)) return undefined;
      throw error;
    }
    return { ...entry, state: { ...next, number }, groups };
  }

  /** The entry after a state. */
  async next(state: StoreState): Promise<Entry | undefined> {
    const number = state.number + 1;
    const _id = state.keyed === true ? entryKey(number) : number;
    const found = await this.server.collection<StoredEntry>(JOURNAL).findOne({ _id });
    if (found === null) return undefined;
    const groups = [...found.groups];
    for (const part of found.parts ?? []) groups.push(...(await this.#part(part, number)));
    return { ...found, number, state: stateAfter(state, number, found), groups };
  }

  /** The state that all entries after it make of it. */
  newest(state: StoreState): Promise<Followed<StoreState>> {
    return this.#follow(state, { ...HEAD, change: 1 }, (before, entry) => stateAfter(before, entry.number, entry));
  }

  /** The newest entry after a state, or what stands for it. */
  newestHead({ number, writer, passed, revision }: StoreState): Promise<Followed<EntryHead>> {
    return this.#follow<EntryHead>({ number, writer, passed, revision }, HEAD, (_, entry) => entry);
  }

  /** Number of the commit that an entry of a writer holds; undefined when it holds none, or is another's. */
  async commitOf(writer: string, number: number): Promise<number | undefined> {
    const found = await this.server
      .quickCollection<StoredEntry>(JOURNAL)
      .findOne({ _id: entryKey(number) }, { projection: { writer: 1, commit: 1 } });
    return found?.writer === writer ? found.commit : undefined;
  }

  /** What the entries from a number on prune: those that a state counts, and those that follow it. */
  async prunes(from: number, state: StoreState): Promise<readonly PlannedPrune[]> {
    const found = await this.server
      .quickCollection<StoredEntry>(JOURNAL)
      .findAll(
        { _id: { $gte: entryKey(from) } },
        { projection: { number: 1, writer: 1, stamp: 1, prunes: 1 }, sort: { _id: 1 } },
      );
    const prunes: PlannedPrune[] = [];
    let last: Pick<StoredEntry, 'number' | 'writer'> = state;
    for (const entry of found) {
      if (entry.number > last.number) {
        if (!follows(entry, last)) break;
        last = entry;
      }
      prunes.push(...entry.prunes);
    }
    return prunes;
  }

  /** The entries from a number on, in order: as many as a reader takes at once. */
  async headsFrom(number: number): Promise<{ readonly heads: readonly EntryHead[]; readonly isLast: boolean }> {
    const heads = await this.server
      .quickCollection<StoredEntry>(JOURNAL)
      .findAll({ _id: { $gte: entryKey(number) } }, { projection: HEAD, sort: { _id: 1 }, limit: HEADS_MAX });
    return { heads, isLast: heads.length < HEADS_MAX };
  }

  /** Removes an entry that was made for a state that is gone. */
  async remove({ number, writer }: Pick<Entry, 'number' | 'writer'>): Promise<void> {
    await this.server
      .quickCollection<StoredEntry>(JOURNAL)
      .deleteMany({ _id: { $in: [number, entryKey(number)] }, writer });
  }

  /** Removes what earlier writers decided after a number that a later one has: they had not noticed that the state is gone. */
  async removeBeyond(number: number, term: number): Promise<void> {
    await this.server
      .quickCollection<StoredEntry>(JOURNAL)
      .deleteMany({ _id: { $gt: entryKey(number) }, term: { $lt: term } });
  }

  /** Removes entries that were applied some time ago, in parallel with commits. FerretDB scans all entries for any such filter. */
  async forget(applied: number): Promise<void> {
    const last = entryKey(applied - ENTRIES_KEPT);
    await this.server.collection<StoredEntry>(JOURNAL).deleteMany({ _id: { $lte: last }, stamp: { $exists: false } });
  }

  /** Removes parts of such entries, and entries that releases left which numbered them by numbers. */
  async tidy(applied: number): Promise<void> {
    const last = applied - ENTRIES_KEPT;
    await this.server.collection<EntryPart>(PARTS).deleteMany({ number: { $lte: last } });
    await this.server.collection<StoredEntry>(JOURNAL).deleteMany({ _id: { $lte: last }, stamp: { $exists: false } });
  }

  /** Goes from one entry to the next, as far as they are there and belong to one history. */
  async #follow<Last extends Pick<StoreState, 'number' | 'writer'>>(
    last: Last,
    projection: Readonly<Record<string, 1>>,
    step: (newest: Last, entry: StoredEntry) => Last,
  ): Promise<Followed<Last>> {
    for (let newest = last; ;) {
      const found = await this.server
        .quickCollection<StoredEntry>(JOURNAL)
        .findAll({ _id: { $gt: entryKey(newest.number) } }, { projection, sort: { _id: 1 }, limit: HEADS_MAX });
      for (const entry of found) {
        if (entry.number !== newest.number + 1) return { newest, isWhole: false };
        // Made for a state that is gone: a successor removes it.
        if (!follows(entry, newest)) return { newest, isWhole: true };
        newest = step(newest, entry);
      }
      if (found.length < HEADS_MAX) return { newest, isWhole: true };
    }
  }

  async #part(_id: string, number: number): Promise<readonly Operations[]> {
    const part = await this.server.collection<EntryPart>(PARTS).findOne({ _id });
    if (part !== null) return part.groups;
    throw new ReadStoreDamaged(
      `The read store's journal lacks a part of entry ${number}. Drop the database ${this.server.databaseName}: ` +
        'the read models are built again from the log (live queues are lost).',
    );
  }

  async #writeParts(
    number: number,
    writer: string,
    parts: readonly (readonly Operations[])[],
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const groups of parts) {
      const _id = `${number}-${writer}-${++this.#partsWritten}`;
      await this.beforeStep('part');
      await this.server.collection<EntryPart>(PARTS).insertOne({ _id, number, groups });
      ids.push(_id);
    }
    return ids;
  }
}

/** Whether an entry is the next one of a history: made by the same writer, or the first of another one. */
export function follows(
  entry: Pick<EntryHead, 'number' | 'writer' | 'stamp'>,
  before: Pick<StoreState, 'number' | 'writer'>,
): boolean {
  return entry.number === before.number + 1 && !isStray(entry, before);
}

function stateAfter(
  before: StoreState,
  number: number,
  { change, state }: Pick<StoredEntry, 'change' | 'state'>,
): StoreState {
  return change === undefined ? { ...(state ?? before), number } : changed(before, number, change);
}

/**
 * Whether an entry was made for another state: its writer had seen more commits than there are since an older state was put
 * back. It would bring checkpoints without the documents before them.
 */
export function isStray(
  { writer, stamp }: Pick<Entry, 'writer' | 'stamp'>,
  before: Pick<StoreState, 'writer'>,
): boolean {
  return stamp === undefined && writer !== before.writer;
}

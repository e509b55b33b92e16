import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DirectoryPart, DirectorySnapshot } from '#directory';
import { DamagedRecord, type EventStore, streams } from '#event-store';
import type { JsonObject } from '#kernel';
import type { Directory } from '#people';
import type { SavedCheckpoint, KeyValueStore } from '#read-store';

/** Records per document of a snapshot: few enough that writing it blocks nothing for long. */
const RECORDS_PER_PART = 250;

/** Grows when something moves from one part to another, or leaves one: a former release would miss it. */
const VERSION = 7;

const SNAPSHOTS = 'snapshots';
/** Saved alternately, so that an interrupted save leaves the other one intact. */
const SLOTS = ['directory-a', 'directory-b'] as const;

/** The last event of a stream that the directory applied: if the log has another event there, it is another log. */
export interface StreamMark {
  readonly revision: number;
  readonly id: string;
}

/** The last applied events of the directory's streams; null before the first. */
export interface Marks {
  readonly organization: StreamMark | null;
  readonly messages: StreamMark | null;
}

interface Head {
  /**
   * Others are not read: a part finds there what it has today, or nothing. The directory is folded from the log then.
   */
  readonly version: number;
  readonly checkpoint: string;
  readonly position: number;
  readonly marks: Marks;
  readonly parts: number;
  /** The snapshot without the lists of its parts. */
  readonly rest: JsonObject;
}

interface Part {
  readonly position: number;
  /** Name of the part of the directory whose snapshot is a list. */
  readonly list: string;
  /** As the part of the directory packs them, if it does. */
  readonly records: readonly unknown[] | JsonObject;
}

export interface Restored {
  readonly at: SavedCheckpoint;
  readonly marks: Marks;
}

/** Snapshots of the directory, so that a start replays only the newest events. Lists are stored in pieces, and all else with the head. */
export class DirectorySnapshots {
  #next = 0;
  readonly #packings: ReadonlyMap<string, DirectoryPart['packing']>;

  constructor(
    private readonly side: KeyValueStore,
    private readonly store: EventStore,
    private readonly directory: Directory,
  ) {
    this.#packings = new Map(directory.parts.map(({ name, packing }) => [name, packing]));
  }

  /**
   * Saves a snapshot in parts. The snapshot must not change meanwhile; the directory may.
   * @returns total time that this blocked the event loop, in milliseconds
   */
  async save(snapshot: DirectorySnapshot, at: SavedCheckpoint, marks: Marks): Promise<number> {
    const slot = SLOTS[this.#next % SLOTS.length] ?? SLOTS[0];
    this.#next++;
    // A snapshot without its head does not exist: the head is removed first and written last.
    await this.side.remove(SNAPSHOTS, slot);
    let parts = 0;
    let heldMs = 0;
    const rest: Record<string, unknown> = {};
    for (const [list, all] of Object.entries(snapshot)) {
      if (!isList(all)) {
        rest[list] = all;
        continue;
      }
      for (let start = 0; start < all.length; start += RECORDS_PER_PART) {
        const beganMs = performance.now();
        const records = all.slice(start, start + RECORDS_PER_PART);
        const packed = this.#packings.get(list)?.pack(records) ?? records;
        const part: Part = { position: at.position, list, records: packed };
        await this.side.put(SNAPSHOTS, `${slot}-${parts++}`, part as unknown as JsonObject);
        heldMs += performance.now() - beganMs;
        await nextTurn();
      }
    }
    const head: Head = { version: VERSION, ...at, marks, parts, rest: rest as JsonObject };
    await this.side.put(SNAPSHOTS, slot, head as unknown as JsonObject);
    return heldMs;
  }

  /** Fills the empty directory from the newest snapshot at or before this position that belongs to the log. */
  async restore(atMost: number): Promise<Restored | undefined> {
    const heads: { readonly slot: number; readonly head: Head }[] = [];
    for (const [slot, name] of SLOTS.entries()) {
      const head = (await this.side.get(SNAPSHOTS, name)) as unknown as Head | undefined;
      if (head?.version === VERSION && head.position <= atMost) heads.push({ slot, head });
    }
    heads.sort((a, b) => b.head.position - a.head.position);
    for (const { slot, head } of heads) {
      if (!(await this.#belongsToLog(head))) continue;
      const snapshot = await this.#read(slot, head);
      if (snapshot === undefined) continue;
      this.directory.restore(snapshot);
      this.#next = slot + 1;
      return { at: { checkpoint: head.checkpoint, position: head.position }, marks: head.marks };
    }
    return undefined;
  }

  async #read(slot: number, head: Head): Promise<DirectorySnapshot | undefined> {
    const lists: Record<string, unknown[]> = {};
    for (let number = 0; number < head.parts; number++) {
      const part = (await this.side.get(SNAPSHOTS, `${SLOTS[slot] ?? SLOTS[0]}-${number}`)) as unknown as
        Part | undefined;
      if (part?.position !== head.position) return undefined;
      const { list, records } = part;
      const unpacked = isList(records) ? records : (this.#packings.get(list)?.unpack(records) ?? []);
      const known = (lists[list] ??= []);
      for (const record of unpacked) known.push(record);
    }
    return { ...head.rest, ...lists } as unknown as DirectorySnapshot;
  }

  async #belongsToLog({ marks: { organization, messages }, checkpoint }: Head): Promise<boolean> {
    return (
      (await this.#isAt(streams.organization, organization, checkpoint)) &&
      (await this.#isAt(streams.messages, messages, checkpoint))
    );
  }

  /** @throws DamagedRecord where the mark is the last record of its stream, whose end nobody knows then */
  async #isAt(stream: string, mark: StreamMark | null, checkpoint: string): Promise<boolean> {
    if (mark === null) return true;
    try {
      const [event] = await this.store.readStream(stream, { from: mark.revision, limit: 1 });
      return event?.id === mark.id;
    } catch (error) {
      if (!(error instanceof DamagedRecord) || !(await this.#goesOn(stream, mark.revision + 1))) throw error;
      // The record is behind the snapshot, which does not need it: where the log is read on tells as well whether it is the same.
      const pages = this.store.readAll({ after: checkpoint })[Symbol.asyncIterator]();
      await pages.next();
      await pages.return?.();
      return true;
    }
  }

  async #goesOn(stream: string, revision: number): Promise<boolean> {
    return (await this.store.readStream(stream, { from: revision, limit: 1 })).length > 0;
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

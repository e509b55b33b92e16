import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore } from '#event-store';
import { streams } from '#event-store';
import type { JsonObject } from '#kernel';
import type { Directory, DirectorySnapshot } from '#organization';
import type { SavedCheckpoint, SideStore } from '#read-store';

/** How many records one document of a snapshot holds: few enough that writing it holds nobody up. */
const RECORDS_PER_PART = 250;

const SNAPSHOTS = 'snapshots';
/** Saved in turn, so that a save that is cut off leaves the other one whole. */
const SLOTS = ['directory-a', 'directory-b'] as const;
const LISTS = ['users', 'channels', 'groups', 'subscriptions', 'preferences'] as const;

/** The last event of a stream that the directory took in: a log that has another one there is another log. */
export interface StreamMark {
  readonly revision: number;
  readonly id: string;
}

/** The last events taken in of the streams that make the directory; null before the first. */
export interface Marks {
  readonly organization: StreamMark | null;
  readonly messages: StreamMark | null;
}

interface Head {
  readonly version: 1;
  readonly checkpoint: string;
  readonly position: number;
  readonly marks: Marks;
  readonly parts: number;
  /** The snapshot without its lists. */
  readonly rest: JsonObject;
}

interface Part {
  readonly position: number;
  readonly list: (typeof LISTS)[number];
  readonly records: readonly unknown[];
}

export interface Restored {
  readonly at: SavedCheckpoint;
  readonly marks: Marks;
}

/** Copies of the directory, so that a start needs the newest events only (DESIGN, decision 7). */
export class DirectorySnapshots {
  #next = 0;

  constructor(
    private readonly side: SideStore,
    private readonly store: EventStore,
  ) {}

  /** Saves a copy in pieces. The snapshot must not change meanwhile; the directory may. */
  async save(snapshot: DirectorySnapshot, at: SavedCheckpoint, marks: Marks): Promise<void> {
    const slot = SLOTS[this.#next % SLOTS.length] ?? SLOTS[0];
    this.#next++;
    // Without its head a snapshot does not exist: it goes first and comes back last.
    await this.side.remove(SNAPSHOTS, slot);
    let parts = 0;
    for (const list of LISTS) {
      for (let start = 0; start < snapshot[list].length; start += RECORDS_PER_PART) {
        const records = snapshot[list].slice(start, start + RECORDS_PER_PART);
        const part: Part = { position: at.position, list, records };
        await this.side.put(SNAPSHOTS, `${slot}-${parts++}`, part as unknown as JsonObject);
        await nextTurn();
      }
    }
    const { users: _u, channels: _c, groups: _g, subscriptions: _s, preferences: _p, ...rest } = snapshot;
    const head: Head = { version: 1, ...at, marks, parts, rest: rest as unknown as JsonObject };
    await this.side.put(SNAPSHOTS, slot, head as unknown as JsonObject);
  }

  /** Fills an empty directory from the newest snapshot that stands at or before this position and belongs to the log. */
  async restore(directory: Directory, atMost: number): Promise<Restored | undefined> {
    const heads: { readonly slot: number; readonly head: Head }[] = [];
    for (const [slot, name] of SLOTS.entries()) {
      const head = (await this.side.get(SNAPSHOTS, name)) as unknown as Head | undefined;
      if (head?.version === 1 && head.position <= atMost) heads.push({ slot, head });
    }
    heads.sort((a, b) => b.head.position - a.head.position);
    for (const { slot, head } of heads) {
      if (!(await this.#belongsToLog(head.marks))) continue;
      const snapshot = await this.#read(slot, head);
      if (snapshot === undefined) continue;
      directory.restore(snapshot);
      this.#next = slot + 1;
      return { at: { checkpoint: head.checkpoint, position: head.position }, marks: head.marks };
    }
    return undefined;
  }

  async #read(slot: number, head: Head): Promise<DirectorySnapshot | undefined> {
    const lists = Object.fromEntries(LISTS.map((list) => [list, []])) as unknown as Record<Part['list'], unknown[]>;
    for (let number = 0; number < head.parts; number++) {
      const part = (await this.side.get(SNAPSHOTS, `${SLOTS[slot] ?? SLOTS[0]}-${number}`)) as unknown as
        Part | undefined;
      if (part?.position !== head.position) return undefined;
      for (const record of part.records) lists[part.list].push(record);
    }
    return { ...head.rest, ...lists } as unknown as DirectorySnapshot;
  }

  async #belongsToLog({ organization, messages }: Marks): Promise<boolean> {
    return (await this.#isAt(streams.organization, organization)) && (await this.#isAt(streams.messages, messages));
  }

  async #isAt(stream: string, mark: StreamMark | null): Promise<boolean> {
    if (mark === null) return true;
    const [event] = await this.store.readStream(stream, { from: mark.revision, limit: 1 });
    return event?.id === mark.id;
  }
}

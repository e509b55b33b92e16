import type { RecordedEvent } from '#event-store';
import { streams } from '#event-store';
import type { Directory } from '#people';
import type { SavedCheckpoint } from '#read-store';
import type { DirectorySnapshots, Marks } from './directory-snapshots.js';

/** Maximum events to replay after a kill, about a tenth of a second. */
const SNAPSHOT_EVERY_EVENTS = 5_000;
/** Maximum share of the event loop spent on saving snapshots, which is not free in a large organization. */
const SNAPSHOT_SHARE_MAX = 0.02;

export interface LiveDirectoryParts {
  readonly directory: Directory;
  readonly snapshots: DirectorySnapshots;
  /** Called when a snapshot could not be saved. The next start takes longer; nothing is lost. */
  readonly onError: (error: unknown) => void;
}

/**
 * The directory of the process that writes the feed: restored from a snapshot, moved by the events of the log, and
 * saved from time to time. It moves with the feed and shares its checkpoint (ADR 20).
 */
export class LiveDirectory {
  #marks: { -readonly [stream in keyof Marks]: Marks[stream] } = { organization: null, messages: null };
  #committedAt: SavedCheckpoint | undefined;
  #eventsSinceSnapshot = 0;
  /** By the process's monotonic clock. */
  #nextSnapshotMs = 0;
  #saving: Promise<void> | undefined;

  constructor(private readonly parts: LiveDirectoryParts) {}

  /**
   * Fills the empty directory from the newest snapshot at or before this position.
   * @returns the snapshot's checkpoint; undefined when there is none
   */
  async restore(atMost: number): Promise<SavedCheckpoint | undefined> {
    const restored = await this.parts.snapshots.restore(atMost);
    if (restored === undefined) return undefined;
    this.#marks = { ...restored.marks };
    this.#committedAt = restored.at;
    return restored.at;
  }

  apply(event: RecordedEvent): void {
    this.parts.directory.apply(event);
    if (event.stream === streams.organization) this.#marks.organization = event;
    else if (event.stream === streams.messages) this.#marks.messages = event;
    this.#eventsSinceSnapshot++;
  }

  /** The applied events are committed up to `at`: the moment to copy the directory, when a snapshot is due. */
  committed(at: SavedCheckpoint): void {
    this.#committedAt = at;
    if (this.#eventsSinceSnapshot < SNAPSHOT_EVERY_EVENTS || this.#saving !== undefined) return;
    if (performance.now() >= this.#nextSnapshotMs) void this.saveSnapshot();
  }

  /** Copies the directory now and resolves when the snapshot is saved. */
  async saveSnapshot(): Promise<void> {
    await this.#saving;
    const { directory, snapshots, onError } = this.parts;
    const at = this.#committedAt;
    // Events that were applied but not committed are not covered by the checkpoint, so such a snapshot would be wrong.
    if (at?.position !== directory.position || this.#eventsSinceSnapshot === 0) return;
    this.#eventsSinceSnapshot = 0;
    const startedMs = performance.now();
    const snapshot = directory.snapshot();
    const copiedMs = performance.now() - startedMs;
    this.#saving = snapshots.save(snapshot, at, copyOf(this.#marks)).then((savedMs) => {
      this.#nextSnapshotMs = performance.now() + (copiedMs + savedMs) / SNAPSHOT_SHARE_MAX;
    }, onError);
    await this.#saving;
    this.#saving = undefined;
  }
}

function copyOf({ organization, messages }: Marks): Marks {
  const copy = (mark: Marks['messages']) => (mark === null ? null : { revision: mark.revision, id: mark.id });
  return { organization: copy(organization), messages: copy(messages) };
}

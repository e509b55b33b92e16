import type { RecordedEvent } from '#event-store';
import { streams } from '#event-store';
import type { Clock } from '#kernel';
import type { Directory } from '#organization';
import type { Follower, Prune, SavedCheckpoint, Write } from '#read-store';
import type { DirectorySnapshots, Marks } from './directory-snapshots.js';
import type { FeedCatalogue } from './feed-catalogue.js';
import type { FeedDocument, FeedRecord } from './feed-history.js';
import { feedCollection } from './feed-history.js';
import type { FeedRetention } from './feed-retention.js';
import type { FeedListener } from '../delivery/live-feed.js';

/** Maximum events to replay after a kill, about a tenth of a second. */
const SNAPSHOT_EVERY_EVENTS = 5_000;
/** Maximum share of the event loop spent on saving snapshots, which is not free in a large organization. */
const SNAPSHOT_SHARE_MAX = 0.02;

export interface FeedFollowerParts {
  readonly directory: Directory;
  readonly catalogue: FeedCatalogue;
  readonly listener: FeedListener;
  readonly retention: FeedRetention;
  readonly snapshots: DirectorySnapshots;
  readonly clock: Clock;
  /** Called when a snapshot could not be saved. The next start takes longer; nothing is lost. */
  readonly onError: (error: unknown) => void;
}

/**
 * Live end of the log: applies each event to the directory, stores the client events derived from it, and passes them
 * to listeners once they are committed.
 */
export class FeedFollower implements Follower {
  readonly name = 'feed';
  readonly collection = feedCollection;

  /** Followed with `write` and not committed yet. */
  #pending: FeedRecord[] = [];
  #marks: { -readonly [stream in keyof Marks]: Marks[stream] } = { organization: null, messages: null };
  #committedAt: SavedCheckpoint | undefined;
  #eventsSinceSnapshot = 0;
  /** By the process's monotonic clock. */
  #nextSnapshotMs = 0;
  #saving: Promise<void> | undefined;

  constructor(private readonly parts: FeedFollowerParts) {}

  async restore(atMost: number): Promise<SavedCheckpoint | undefined> {
    const { snapshots, directory, retention } = this.parts;
    await retention.load(atMost);
    const restored = await snapshots.restore(directory, atMost);
    if (restored === undefined) return undefined;
    this.#marks = { ...restored.marks };
    this.#committedAt = restored.at;
    this.parts.listener.startAt(restored.at.position);
    return restored.at;
  }

  follow(event: RecordedEvent, write: boolean): readonly Write[] {
    const { directory, catalogue, retention, clock } = this.parts;
    directory.apply(event);
    if (event.stream === streams.organization) this.#marks.organization = event;
    else if (event.stream === streams.messages) this.#marks.messages = event;
    this.#eventsSinceSnapshot++;
    if (!write) {
      this.parts.listener.startAt(event.position);
      return NOTHING;
    }
    // A rebuild of the feed from a long log need not derive client events of old events.
    if (retention.isTooOld(event.recordedAtMs, clock.nowMs())) {
      retention.skipped(event.position);
      return NOTHING;
    }
    const entries = catalogue.derive(event, directory);
    if (entries.length === 0) return NOTHING;
    retention.wrote(event.position);
    this.#pending.push({ position: event.position, entries });
    const doc: FeedDocument = { at: event.recordedAtMs, entries };
    return [{ collection: feedCollection.name, key: event.position, doc, fresh: true }];
  }

  prunes(): readonly Prune[] {
    return this.parts.retention.prunes();
  }

  committed(_events: readonly RecordedEvent[], at: SavedCheckpoint): void {
    const records = this.#pending;
    this.#pending = [];
    this.#committedAt = at;
    this.parts.listener.publish(records, at.position);
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

  /** Must be called when the live loop has ended: the next start resumes there. */
  async close(): Promise<void> {
    await this.saveSnapshot();
  }
}

function copyOf({ organization, messages }: Marks): Marks {
  const copy = (mark: Marks['messages']) => (mark === null ? null : { revision: mark.revision, id: mark.id });
  return { organization: copy(organization), messages: copy(messages) };
}

const NOTHING: readonly Write[] = [];

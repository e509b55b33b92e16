import type { RecordedEvent } from '#event-store';
import type { Clock } from '#kernel';
import type { Directory } from '#people';
import type { Follower, Prune, SavedCheckpoint, Write } from '#read-store';
import { LiveDirectory, type LiveDirectoryParts } from '../directory/live-directory.js';
import type { FeedListener } from '../delivery/live-feed.js';
import type { FeedCatalogue } from './feed-catalogue.js';
import type { FeedDocument, FeedRecord } from './feed-history.js';
import { feedCollection } from './feed-history.js';
import type { FeedRetention } from './feed-retention.js';

export interface FeedFollowerParts extends LiveDirectoryParts {
  readonly catalogue: FeedCatalogue;
  readonly listener: FeedListener;
  readonly retention: FeedRetention;
  readonly clock: Clock;
}

/**
 * Live end of the log: applies each event to the directory, stores the client events derived from it, and passes them
 * to listeners once they are committed.
 */
export class FeedFollower implements Follower {
  readonly name = 'feed';
  readonly collection = feedCollection;

  readonly #directory: Directory;
  readonly #live: LiveDirectory;
  /** Followed with `write` and not committed yet. */
  #pending: FeedRecord[] = [];

  constructor(private readonly parts: FeedFollowerParts) {
    this.#directory = parts.directory;
    this.#live = new LiveDirectory(parts);
  }

  async restore(atMost: number): Promise<SavedCheckpoint | undefined> {
    const { retention, listener } = this.parts;
    await retention.load(atMost);
    const restored = await this.#live.restore(atMost);
    if (restored !== undefined) listener.startAt(restored.position);
    return restored;
  }

  async resume(atMost: number): Promise<void> {
    await this.parts.retention.load(atMost);
  }

  follow(event: RecordedEvent, write: boolean): readonly Write[] {
    const { catalogue, listener, retention, clock } = this.parts;
    this.#live.apply(event);
    catalogue.recorded(event);
    if (!write) {
      listener.startAt(event.position);
      return NOTHING;
    }
    // A rebuild of the feed from a long log need not derive client events of old events.
    if (retention.isTooOld(event.recordedAtMs, clock.nowMs())) {
      retention.skipped(event.position);
      return NOTHING;
    }
    const entries = catalogue.derive(event, this.#directory);
    if (entries.length === 0) return NOTHING;
    retention.wrote(event.position);
    const at = event.recordedAtMs;
    this.#pending.push({ position: event.position, at, entries });
    const doc: FeedDocument = { at, entries };
    return [{ collection: feedCollection.name, key: event.position, doc, fresh: true }];
  }

  prunes(): readonly Prune[] {
    return this.parts.retention.prunes();
  }

  committed(_events: readonly RecordedEvent[], at: SavedCheckpoint): void {
    const records = this.#pending;
    this.#pending = [];
    this.parts.listener.publish(records, at.position);
    this.#live.committed(at);
  }

  /** Saves the directory as of the last commit. */
  saveSnapshot(): Promise<void> {
    return this.#live.saveSnapshot();
  }

  /** Must be called when the live loop has ended: the next start resumes there. */
  async close(): Promise<void> {
    await this.saveSnapshot();
  }
}

const NOTHING: readonly Write[] = [];

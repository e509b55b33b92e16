import type { Recorded } from '#event-store';
import { streams } from '#event-store';
import type { Clock } from '#kernel';
import type { Directory } from '#organization';
import type { Follower, Prune, SavedCheckpoint, Write } from '#read-store';
import type { DirectorySnapshots, Marks } from './directory-snapshots.js';
import type { FeedCatalogue } from './feed-catalogue.js';
import type { FeedDocument, FeedRecord } from './feed-history.js';
import { feedCollection } from './feed-history.js';
import type { FeedRetention } from './feed-retention.js';
import type { FeedListener } from './live-feed.js';

/** Replaying so many events at the next start is quick; saving a snapshot of a large organization is not free. */
const SNAPSHOT_EVERY_EVENTS = 20_000;
const SNAPSHOT_EVERY_MS = 30_000;

export interface FeedFollowerParts {
  readonly directory: Directory;
  readonly catalogue: FeedCatalogue;
  readonly listener: FeedListener;
  readonly retention: FeedRetention;
  readonly snapshots: DirectorySnapshots;
  readonly clock: Clock;
  /** A snapshot could not be saved. The next start takes longer; nothing is lost. */
  readonly onError: (error: unknown) => void;
}

/**
 * The live end of the log: it advances the directory event by event, writes down what each fact says to clients, and hands
 * that on to whoever listens once it is committed (DESIGN, decisions 7 and 10).
 */
export class FeedFollower implements Follower {
  readonly name = 'feed';
  readonly collection = feedCollection;

  /** Followed with `write` and not yet committed. */
  #pending: FeedRecord[] = [];
  #marks: { -readonly [stream in keyof Marks]: Marks[stream] } = { organization: null, messages: null };
  #committedAt: SavedCheckpoint | undefined;
  #eventsSinceSnapshot = 0;
  #snapshotAtMs = 0;
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

  follow(event: Recorded, write: boolean): readonly Write[] {
    const { directory, catalogue, retention, clock } = this.parts;
    directory.apply(event);
    if (event.stream === streams.organization) this.#marks.organization = event;
    else if (event.stream === streams.messages) this.#marks.messages = event;
    this.#eventsSinceSnapshot++;
    if (!write) {
      this.parts.listener.startAt(event.position);
      return NOTHING;
    }
    // Whoever builds the feed afresh from a long log need not even ask what the facts of long ago said.
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

  committed(_events: readonly Recorded[], at: SavedCheckpoint): void {
    const records = this.#pending;
    this.#pending = [];
    this.#committedAt = at;
    this.parts.listener.publish(records, at.position);
    const nowMs = this.parts.clock.nowMs();
    if (this.#eventsSinceSnapshot < SNAPSHOT_EVERY_EVENTS) return;
    if (nowMs - this.#snapshotAtMs < SNAPSHOT_EVERY_MS || this.#saving !== undefined) return;
    this.#snapshotAtMs = nowMs;
    void this.saveSnapshot();
  }

  /** Copies the directory now and resolves when the copy is saved. */
  async saveSnapshot(): Promise<void> {
    await this.#saving;
    const { directory, snapshots, onError } = this.parts;
    const at = this.#committedAt;
    // Events that were taken in and never committed are not in the copy's checkpoint: such a copy would be a lie.
    if (at?.position !== directory.position || this.#eventsSinceSnapshot === 0) return;
    this.#eventsSinceSnapshot = 0;
    this.#saving = snapshots.save(directory.snapshot(), at, copyOf(this.#marks)).catch(onError);
    await this.#saving;
    this.#saving = undefined;
  }

  /** To be called when the live loop has ended: the next start begins where this one stopped. */
  async close(): Promise<void> {
    await this.saveSnapshot();
  }
}

function copyOf({ organization, messages }: Marks): Marks {
  const copy = (mark: Marks['messages']) => (mark === null ? null : { revision: mark.revision, id: mark.id });
  return { organization: copy(organization), messages: copy(messages) };
}

const NOTHING: readonly Write[] = [];

import type { RecordedEvent } from '#event-store';
import type { Follower } from '../projection.js';
import { ReadModelsPutBack, type SavedCheckpoint, type Write } from '../read-store.js';
import { atEvent } from './failures.js';

/** Runs one follower, whose state and collection may be at different positions until both have caught up. */
export class FollowerRunner {
  /** Checkpoint of its collection. */
  saved: SavedCheckpoint | undefined;
  handled = 0;
  /** The loop stops when it fails: clients are in the midst of what it writes. */
  readonly failure = undefined;
  /** Checkpoint of its state. */
  #state: SavedCheckpoint | undefined;
  /** Its state was restored while the process stood by. */
  #isPrepared = false;

  constructor(readonly follower: Follower) {}

  get name(): string {
    return this.follower.collection.name;
  }

  get position(): number {
    return this.saved?.position ?? 0;
  }

  /** Checkpoint from which the log must be read for this follower. */
  get resumeAfter(): SavedCheckpoint | undefined {
    return this.#state;
  }

  /**
   * Restores the state once, in a process that does not write yet. A follower without a state has nothing to prepare.
   * @param atMost position that its collection has passed
   */
  async prepare(atMost: number): Promise<void> {
    if (this.#isPrepared || this.follower.restore === undefined) return;
    this.#state = await this.follower.restore(atMost);
    this.#isPrepared = true;
  }

  /** Lets a prepared state pass an event that its collection has passed. */
  replay(event: RecordedEvent): void {
    if (!this.#isPrepared || event.position <= (this.#state?.position ?? 0)) return;
    atEvent(this.follower.name, event, () => this.follower.follow(event, false));
  }

  /** All events up to `at` were replayed. */
  replayed(at: SavedCheckpoint): void {
    if (this.#isPrepared && at.position > (this.#state?.position ?? 0)) this.#state = at;
  }

  /** @throws ReadModelsPutBack when a prepared state is beyond its collection */
  async restore(saved: SavedCheckpoint | undefined): Promise<void> {
    this.saved = saved;
    const { follower } = this;
    if (this.#isPrepared) {
      if ((this.#state?.position ?? 0) > this.position) throw new ReadModelsPutBack();
      await follower.resume?.(this.position);
      return;
    }
    this.#state = follower.restore === undefined ? saved : await follower.restore(this.position);
    if ((this.#state?.position ?? 0) > this.position) {
      throw new Error(
        `${follower.name} restored a state of position ${this.#state?.position ?? 0}, beyond ${this.position}.`,
      );
    }
  }

  follow(event: RecordedEvent, writes: Write[]): void {
    const { position } = event;
    if (position <= (this.#state?.position ?? 0)) return;
    const write = position > this.position;
    const own = atEvent(this.follower.name, event, () => this.follower.follow(event, write));
    if (!write) return;
    this.handled++;
    for (const one of own) writes.push(one);
  }

  /** The batch is committed up to `at`. */
  committed(events: readonly RecordedEvent[], at: SavedCheckpoint): void {
    const before = this.position;
    if (at.position > (this.#state?.position ?? 0)) this.#state = at;
    if (at.position <= before) return;
    this.saved = at;
    const isAllNew = (events[0]?.position ?? 0) > before;
    this.follower.committed(isAllNew ? events : events.filter(({ position }) => position > before), at);
  }
}

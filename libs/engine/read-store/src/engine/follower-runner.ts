import type { RecordedEvent } from '#event-store';
import type { Follower } from '../projection.js';
import type { SavedCheckpoint, Write } from '../read-store.js';
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

  async restore(saved: SavedCheckpoint | undefined): Promise<void> {
    this.saved = saved;
    const { follower } = this;
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

import { Clock } from '#kernel';

/** A clock that stands still until it is moved. */
export class ManualClock extends Clock {
  constructor(public atMs = 1_700_000_000_000) {
    super();
  }

  override nowMs(): number {
    return this.atMs;
  }
}

import { Clock } from '#kernel';

/** Clock whose time only changes when it is set. */
export class ManualClock extends Clock {
  constructor(public atMs = 1_700_000_000_000) {
    super();
  }

  override nowMs(): number {
    return this.atMs;
  }
}

import type { PushFailure } from './push-failure.js';

/** Tells the operator of notifications that the push service did not take. */
export class PushReports {
  constructor(readonly failed: (failure: PushFailure) => void) {}
}

/** A failure of work that is tried again, or given up. */
export interface PendingFailure {
  readonly kind: string;
  /** What it failed on, such as the host of a service: at most one line of the log a minute is about one. */
  readonly target: string;
  /** Without contents. */
  readonly reason: string;
  /** It is not tried again by itself. */
  readonly isGivenUp?: boolean;
}

/** Tells the operator of failures of pending work. */
export class PendingReports {
  constructor(readonly failed: (failure: PendingFailure) => void) {}
}

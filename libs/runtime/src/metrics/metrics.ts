import type { RetentionProgress } from '#messages';
import type { ReadSideOperations, WorkStatus } from '#read-store';
import { CallMeter } from './call-meter.js';
import { Durations } from './durations.js';
import { RequestMeter } from './request-meter.js';

/** From a device with a battery-backed cache to a disk in trouble. */
const SYNC_BOUNDS_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.05, 0.25, 1];
const DELIVERY_BOUNDS_SECONDS = [0.002, 0.005, 0.015, 0.05, 0.1, 0.5, 2];

/** Work of one kind that waits to be done. */
export interface PendingWork {
  readonly kind: string;
  readonly count: number;
  /** How long the oldest one should have been done already; 0 when none is late. */
  readonly overdueSeconds: number;
}

/** Work of one kind that has failed and is to be tried again. */
export interface FailingWork {
  readonly kind: string;
  /** How long the oldest one has waited; 0 when none has failed. */
  readonly ageSeconds: number;
}

/** What waits, as counted, and what fails. */
export interface Waiting {
  readonly pending: readonly PendingWork[];
  readonly failing: readonly FailingWork[];
}

/** A part of the process, as far as it is asked when somebody looks. */
export interface WatchedPart {
  readonly name: 'api' | 'projector';
  /** Why it is not ready; undefined when it is. */
  readonly complaint: () => string | undefined;
  readonly work: () => readonly WorkStatus[];
  /** The projections; absent where another process has them. */
  readonly engine?: Pick<ReadSideOperations, 'status'> | undefined;
  readonly queues?: { readonly size: number; readonly heldCount: number };
  /** Requests in progress. */
  readonly requests?: () => number;
  /** Work that waits; absent where another process tells of it. */
  readonly pending?: (() => Promise<Waiting>) | undefined;
  /** Answers undefined while nothing is to be removed. */
  readonly retention?: () => RetentionProgress | undefined;
}

export type OutgoingKind = 'mail' | 'push' | 'service';

/** Counts what happens in the process. It knows nothing of how the numbers are read. */
export class Metrics {
  readonly requests = new RequestMeter();
  readonly stores = { log: new CallMeter(), 'read-models': new CallMeter(), side: new CallMeter() };
  /** Commits of an embedded log: nearly all of their time is the sync of the disk. */
  readonly syncs = new Durations(SYNC_BOUNDS_SECONDS);
  /** Answers to held polls, with the time since their first event was recorded. */
  readonly deliveries = new Durations(DELIVERY_BOUNDS_SECONDS);
  /** Attempts to send something that failed. */
  readonly outgoingFailures: Record<OutgoingKind, number> = { mail: 0, push: 0, service: 0 };
  readonly #parts = new Set<WatchedPart>();

  get parts(): Iterable<WatchedPart> {
    return this.#parts;
  }

  /** @returns a function that ends the watch */
  watch(part: WatchedPart): () => void {
    this.#parts.add(part);
    return () => this.#parts.delete(part);
  }

  /** @param recordedAtMs milliseconds since the epoch, by the clock of the machine that recorded it */
  readonly delivered = (recordedAtMs: number): void => {
    this.deliveries.add(Math.max(0, Date.now() - recordedAtMs));
  };

  /** Positions of damaged records of the log that readers have met, several parts of the process perhaps. */
  readonly damaged = new Set<number>();

  readonly met = ({ position }: { readonly position: number }): void => {
    this.damaged.add(position);
  };

  readonly synced = (tookMs: number): void => {
    this.syncs.add(tookMs);
  };
}

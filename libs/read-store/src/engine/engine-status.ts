import type { JsonObject } from '#kernel';
import type { EngineFailure } from './failures.js';

/**
 * `starting`: catching up with the log. `live`: following it. `stalled`: a store fails and is tried again. `stopped`: for
 * good, because of `failure` or on demand.
 */
export type EngineState = 'starting' | 'live' | 'stalled' | 'stopped';

export interface ParticipantStatus {
  readonly name: string;
  /** Position of the last event it has passed. */
  readonly position: number;
  /** Positions between it and the head; on the embedded store these are events. 0 once the log has nothing more for it. */
  readonly lagEvents: number;
  /** Events it has handled since the start. */
  readonly handled: number;
  /** Events handled a second, over the last seconds. */
  readonly eventsPerSecond: number;
}

export interface RebuildProgress {
  readonly name: string;
  /** Events read so far. */
  readonly events: number;
  readonly position: number;
  /** Where the live loop stood when the rebuild began. */
  readonly head: number;
  readonly elapsedMs: number;
}

export interface EngineStatus {
  readonly state: EngineState;
  /** Position that all participants have passed. */
  readonly position: number;
  readonly head: number;
  readonly lagEvents: number;
  /** Age of the oldest event that is not visible yet. */
  readonly lagMs: number;
  /** Requests that wait for their facts to become visible. */
  readonly waiting: number;
  readonly participants: readonly ParticipantStatus[];
  readonly rebuilds: readonly RebuildProgress[];
  readonly failure?: EngineFailure;
}

export interface EngineLogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly data: JsonObject;
}

export type EngineLog = (entry: EngineLogEntry) => void;

export interface EngineOptions {
  /** Streams that the participants read; their prefixes. */
  readonly streamPrefixes: readonly string[];
  /** How long a command waits to become visible. */
  readonly reachedTimeoutMs: number;
  /** A batch or a waiting command that takes longer than this means that the read side is stuck. */
  readonly stallLimitMs: number;
  /** Events older than this when their turn comes are late. */
  readonly lagLimitMs: number;
  /** Late for longer than this, and new commands are refused. */
  readonly lagGraceMs: number;
  /** How long a failing store is tried again. */
  readonly retryLimitMs: number;
  /** Events in one commit of the live loop: enough to spread its cost, few enough to answer soon. */
  readonly liveBatchEventsMax: number;
  /** Events in one commit while catching up and rebuilding. Requests are served in between. */
  readonly bulkBatchEventsMax: number;
}

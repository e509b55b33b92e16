import type { JsonObject } from '#kernel';
import type { EngineFailure } from './failures.js';
import type { PassProgress } from './pace.js';

/**
 * `starting`: catching up with the log. `live`: following it. `stalled`: a store fails and is retried. `stopped`:
 * permanently, because of `failure` or on demand.
 */
export type EngineState = 'starting' | 'live' | 'stalled' | 'stopped';

export interface ParticipantStatus {
  readonly name: string;
  /** Whether it can be rebuilt while the rest goes on: projections can, followers, which events leave in their order, cannot. */
  readonly rebuildable: boolean;
  /** Position of the last event that the participant has passed. */
  readonly position: number;
  /**
   * Positions between the participant and the head; on the embedded store these are events. 0 at the end of the log.
   */
  readonly lagEvents: number;
  /** Events handled since the start. */
  readonly handled: number;
  /** Events handled per second, over the last seconds. */
  readonly eventsPerSecond: number;
  /** Why it is set aside, if it is: it failed on an event, ends before it, and refuses to be read. */
  readonly setAside?: EngineFailure;
  /** The build that a rebuild has replaced, while it is kept. */
  readonly former?: FormerStatus;
}

export interface FormerStatus {
  /** When it was replaced, in ms since the epoch. */
  readonly replacedAtMs: number;
  /** When it is dropped. */
  readonly keptUntilMs: number;
  /** Position of the last event that it has passed. */
  readonly position: number;
  /** The event on which it failed since, if it did: it cannot take its place again. */
  readonly failure?: EngineFailure;
}

export interface RebuildProgress extends PassProgress {
  readonly name: string;
  /** Why it was given up, if it was; the old collection stays live. */
  readonly failure?: EngineFailure;
}

export interface EngineStatus {
  readonly state: EngineState;
  /** Position that all participants have passed. */
  readonly position: number;
  readonly head: number;
  readonly lagEvents: number;
  /** Age of the oldest event that is not visible yet. */
  readonly lagMs: number;
  /** Requests that wait for their events to become visible. */
  readonly waiting: number;
  readonly participants: readonly ParticipantStatus[];
  readonly rebuilds: readonly RebuildProgress[];
  /** How far it has come with the log while it is `starting`; absent before it reads, and afterwards. */
  readonly catchUp?: PassProgress;
  readonly failure?: EngineFailure;
}

export interface EngineLogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly data: JsonObject;
}

export type EngineLog = (entry: EngineLogEntry) => void;

export interface EngineOptions {
  /** Prefixes of the streams that the participants read. */
  readonly streamPrefixes: readonly string[];
  /** Timeout of a command that waits to become visible. */
  readonly reachedTimeoutMs: number;
  /** The read side is stuck when a batch takes longer than this, or none ends for so long while a command waits. */
  readonly stallLimitMs: number;
  /** Events older than this when they are processed count as late. */
  readonly lagLimitMs: number;
  /** New commands are refused after events have been late for this long. */
  readonly lagGraceMs: number;
  /** Time for which a failing store is retried. */
  readonly retryLimitMs: number;
  /**
   * Time for which a failing store is retried until the engine has caught up, when no requests are served yet;
   * `retryLimitMs` when absent.
   */
  readonly startRetryLimitMs?: number;
  /** Called when projections are set aside, or are not any more; nothing is committed without them before it resolves. */
  readonly onSetAside?: (failures: ReadonlyMap<string, EngineFailure>) => Promise<void>;
  /** Why another process may still read collections that this release does not have, if so. */
  readonly keepsLeftOvers?: () => Promise<string | undefined>;
  /** How long the build of a projection that a rebuild has replaced is kept. */
  readonly formerKeptMs: number;
  /** How often such builds are brought closer to the end of the log. */
  readonly formerFollowsEveryMs: number;
  /** Maximum events in one commit of the live loop: enough to amortise its cost, few enough to answer soon. */
  readonly liveBatchEventsMax: number;
  /** Maximum events in one commit while catching up or rebuilding. Requests are served in between. */
  readonly bulkBatchEventsMax: number;
}

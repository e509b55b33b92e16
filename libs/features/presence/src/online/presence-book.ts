import { ChangeRuns } from './change-runs.js';

/** When a user was last active and last connected, in seconds since the epoch. */
export interface Presence {
  readonly userId: number;
  /** 0 when the user was never seen active. */
  readonly activeAt: number;
  readonly connectedAt: number;
  /**
   * When the user last turned presence on or off; 0 for never. Reports from before do not count. Its fraction orders changes
   * within a second.
   */
  readonly resetAt: number;
}

/** A presence as this process has it: `tick` grows with each change here. */
interface Known extends Presence {
  readonly tick: number;
}

export type PresenceStatus = 'active' | 'idle';

/** Clients report each minute. A report that comes sooner after the last one that counted changes nothing. */
const REPORT_COUNTS_AFTER_S = 55;
/** A user who was away longer than this has come online: clients may already show them as offline (endpoints.md §7). */
const AWAY_AFTER_S = 130;
/** A user who opts out looks as if last seen this long before: offline, for clients with other clocks as well. */
const OFFLINE_BEFORE_S = 320;

/**
 * IDs of updates are a tick times this, plus the number of the process. Ticks are milliseconds, so the IDs stay below
 * 2^53 for two centuries.
 */
export const PROCESSES_MAX = 1024;
/** An ID of another process may be ahead of what this one had heard: so much is told again. */
const OTHER_PROCESS_MARGIN_MS = 10_000;

/**
 * Presence of all users in the memory of one process. Entries of several processes merge to the same result in any
 * order: the later reset wins, and of one reset the latest times.
 */
export class PresenceBook {
  readonly #known = new Map<number, Known>();
  /** The latest change of each user. */
  readonly #changes = new ChangeRuns<Known>();
  #tick = 0;

  /** @param process number of this process, below `PROCESSES_MAX` */
  constructor(private readonly process: number) {}

  get(userId: number): Presence | undefined {
    return this.#known.get(userId);
  }

  /** ID of the newest change; -1 without any. */
  get lastUpdateId(): number {
    return this.#tick === 0 ? -1 : this.#tick * PROCESSES_MAX + this.process;
  }

  /**
   * What changed after the update of this ID, which any process may have given, by time of the change. May contain more than
   * that.
   * @param updateId everything for -1
   * @returns runs of users; a run is replaced when one of them changes, never mutated
   */
  since(updateId: number): readonly (readonly Presence[])[] {
    const tick = Math.floor(updateId / PROCESSES_MAX);
    const isOwn = updateId % PROCESSES_MAX === this.process;
    return this.#changes.from(updateId < 0 ? 0 : isOwn ? tick + 1 : tick + 1 - OTHER_PROCESS_MARGIN_MS);
  }

  /**
   * Records a user's report.
   * @returns what changed, and whether the user has come online by it; undefined when the last report is recent enough
   */
  report(
    userId: number,
    status: PresenceStatus,
    nowMs: number,
  ): { readonly presence: Presence; readonly cameOnline: boolean } | undefined {
    const now = Math.floor(nowMs / 1000);
    const known = this.#known.get(userId);
    const { activeAt, connectedAt, resetAt } = known ?? { activeAt: 0, connectedAt: 0, resetAt: 0 };
    const countsAsActive = status === 'active' && now - activeAt > REPORT_COUNTS_AFTER_S;
    const countsAsConnected = countsAsActive || now - connectedAt > REPORT_COUNTS_AFTER_S;
    if (!countsAsConnected) return undefined;
    const presence = { userId, activeAt: countsAsActive ? now : activeAt, connectedAt: now, resetAt };
    const seenAt = status === 'active' ? activeAt : connectedAt;
    return { presence: this.#put(presence, nowMs), cameOnline: known === undefined || now - seenAt > AWAY_AFTER_S };
  }

  /**
   * The user turned presence on, which counts as a report, or off, which makes them look offline.
   * @param resetAt seconds since the epoch, with a fraction that orders changes within a second
   */
  reset(userId: number, isEnabled: boolean, resetAt: number, nowMs: number): Presence | undefined {
    return this.merge({ ...resetPresence(userId, isEnabled, Math.floor(resetAt)), resetAt }, nowMs);
  }

  /** Takes in what another process knows. @returns what counts now, undefined when nothing changed */
  merge(other: Presence, nowMs: number): Presence | undefined {
    const known = this.#known.get(other.userId);
    if (known === undefined || other.resetAt > known.resetAt) return this.#put(other, nowMs);
    if (other.resetAt < known.resetAt) return undefined;
    const activeAt = Math.max(known.activeAt, other.activeAt);
    const connectedAt = Math.max(known.connectedAt, other.connectedAt);
    if (activeAt === known.activeAt && connectedAt === known.connectedAt) return undefined;
    return this.#put({ ...known, activeAt, connectedAt }, nowMs);
  }

  #put({ userId, activeAt, connectedAt, resetAt }: Presence, nowMs: number): Known {
    this.#tick = Math.max(this.#tick + 1, nowMs);
    const before = this.#known.get(userId);
    const known = { userId, activeAt, connectedAt, resetAt, tick: this.#tick };
    this.#known.set(userId, known);
    if (before !== undefined) this.#changes.delete(before);
    this.#changes.add(known);
    return known;
  }
}

/** @param at seconds since the epoch */
export function resetPresence(userId: number, isEnabled: boolean, at: number): Presence {
  const seenAt = isEnabled ? at : at - OFFLINE_BEFORE_S;
  return { userId, activeAt: seenAt, connectedAt: seenAt, resetAt: at };
}

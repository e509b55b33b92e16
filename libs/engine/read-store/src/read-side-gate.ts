import type { EventStore, ReadBarrier } from '#event-store';
import { notReady } from './engine/position-waiters.js';
import type { ReadSideOperations } from './read-side-operations.js';
import type { ReadStore, Standing } from './read-store.js';
import type { SetAside } from './set-aside.js';

/** The right to decide by the read models: they are whole, and still the same ones when it is asserted again. */
export interface ReadSidePass {
  /** Position up to which every read model has passed the log; the log ended there, or before, when the pass was given. */
  readonly position: number;
  /**
   * To be called after the read models were asked, and before anything is done by their answer that cannot be taken back: an
   * event, a removal. What has been done already is recorded without it.
   * @param position that they must have passed as well, if it is later
   * @throws Refusal SERVER_NOT_READY when they were put back, replaced or swapped since the pass was given; ReadStoreUnavailable
   */
  assertValid(position?: number): Promise<void>;
}

/** What the work is going to do. */
export interface Intent {
  /** Position at which the read models must be; the end of the log at the call when absent. */
  readonly position?: number;
  /** Whether it removes what the read models do not name: it also waits for rebuilds to end. */
  readonly removes?: boolean;
}

/**
 * The gate that all work in the background passes (ADR 30). A read model that is behind, put back, replaced or stopped says "no" to
 * every question; work that believes it loses files, mails and notifications.
 */
export abstract class ReadSideGate {
  /**
   * Waits until the read side has passed the log.
   * @throws Refusal SERVER_NOT_READY while it is not whole; ReadStoreUnavailable, EventStoreUnavailable
   */
  abstract enter(intent?: Intent): Promise<ReadSidePass>;
}

export interface StandingGateParts {
  readonly events: Pick<EventStore, 'head'>;
  readonly store: Pick<ReadStore, 'standing'>;
  readonly barrier: ReadBarrier;
  readonly operations: Pick<ReadSideOperations, 'status'>;
  /** Names of all projections, and of the feed's collection. */
  readonly participants: readonly string[];
  /** What is set aside refuses to be read by itself, so other work goes on; a removal waits, since it needs all. */
  readonly setAside: Pick<SetAside, 'names'>;
}

/** Goes by where the read store stands, before and after the questions. */
export class StandingGate extends ReadSideGate {
  constructor(private readonly parts: StandingGateParts) {
    super();
  }

  override async enter({ position: asked, removes = false }: Intent = {}): Promise<ReadSidePass> {
    const { events, barrier } = this.parts;
    this.#assertOpen(removes);
    const position = asked ?? (await events.head());
    await barrier.waitFor(position);
    await barrier.sync();
    let known = await this.#standing(position);
    return {
      position,
      assertValid: async (later = position) => {
        this.#assertOpen(removes);
        const now = await this.#standing(Math.max(position, later));
        if (now.making !== known.making || now.commits < known.commits) throw notReady(REPLACED);
        known = now;
      },
    };
  }

  #assertOpen(removes: boolean): void {
    const { barrier, operations } = this.parts;
    barrier.assertAccepting();
    if (removes && operations.status().rebuilds.length > 0) throw notReady('A read model is being rebuilt.');
    if (removes && this.parts.setAside.names.size > 0) throw notReady('A read model is set aside.');
  }

  /** @throws Refusal SERVER_NOT_READY when a read model has not passed the position */
  async #standing(position: number): Promise<Standing> {
    const standing = await this.parts.store.standing();
    const setAside = this.parts.setAside.names;
    const behind = this.parts.participants.find(
      (name) => !setAside.has(name) && (standing.positions.get(name) ?? 0) < position,
    );
    if (behind !== undefined) throw notReady(`The read model ${behind} is behind the log.`);
    return standing;
  }
}

const REPLACED = 'The read models are not the ones any more that were asked.';

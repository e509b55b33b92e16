import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore } from '#event-store';
import type { Follower } from '../projection.js';
import { FollowerRunner } from './follower-runner.js';

/**
 * Followers of a process that stands by. Their states follow the log as far as the read models have come, so that a take-over
 * has little left to replay. Nothing is written.
 */
export class WarmUp {
  readonly runners: readonly FollowerRunner[];

  constructor(
    private readonly events: EventStore,
    private readonly streamPrefixes: readonly string[],
    followers: readonly Follower[],
  ) {
    this.runners = followers.map((follower) => new FollowerRunner(follower));
  }

  /**
   * Follows the log up to a position. May be repeated with later ones, one at a time.
   * @param atMost position that all read models have passed
   * @param signal ends it early, between two pages of the log
   * @throws EventStoreUnavailable, ReadStoreUnavailable, DamagedRecord; ParticipantFailed of a follower
   */
  async reach(atMost: number, signal: AbortSignal): Promise<void> {
    const isEnding = (): boolean => signal.aborted;
    const runners = this.runners.filter(({ follower }) => follower.restore !== undefined);
    for (const runner of runners) await runner.prepare(atMost);
    const states = runners.map(({ resumeAfter }) => resumeAfter);
    const first = states.reduce(
      (one, other) => ((other?.position ?? 0) < (one?.position ?? 0) ? other : one),
      states[0],
    );
    if (isEnding() || runners.length === 0 || (first?.position ?? 0) >= atMost) return;
    const after = first === undefined ? {} : { after: first.checkpoint };
    for await (const page of this.events.readAll({ streamPrefixes: this.streamPrefixes, ...after })) {
      const events = page.filter(({ position }) => position <= atMost);
      for (const event of events) for (const runner of runners) runner.replay(event);
      const last = events.at(-1);
      if (last !== undefined) {
        const at = { checkpoint: this.events.checkpointAfter(last), position: last.position };
        for (const runner of runners) runner.replayed(at);
      }
      if (isEnding() || events.length < page.length) return;
      await nextTurn();
    }
  }
}

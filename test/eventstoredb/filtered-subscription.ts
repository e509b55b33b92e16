import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventFilter } from './filter.js';
import type { EventLog, Position } from './log.js';
import type { Source } from './pump.js';

/** Yields to others after this many events without a match. */
const SEARCH_TURN = 10_000;

/**
 * `$all` from an ordinal on, filtered, with checkpoints that report the progress of the search. Their positions are
 * like a real node's: while catching up, the last match of a page of events, or else the start of the page; when caught
 * up, the end of the log; afterwards, at an interval, the event examined last. Only a delivered event certainly has two
 * equal halves, so a reader has to keep both.
 */
export class FilteredSubscription implements Source {
  #live = false;
  #due: Position | undefined;
  #sinceCheckpoint = 0;
  #pageSeen = 0;
  #pagePosition: Position | undefined;

  constructor(
    readonly log: EventLog,
    readonly filter: EventFilter,
    private ordinal: number,
  ) {}

  next(): Buffer | 'busy' | 'none' {
    for (let seen = 0; seen < SEARCH_TURN; seen++) {
      if (this.#due) {
        const message = checkpoint(this.#due);
        this.#due = undefined;
        return message;
      }
      if (this.ordinal < this.log.length) {
        const current = this.ordinal++;
        const matches = this.filter.matches(this.log, current);
        this.#count(this.log.position(current), matches);
        if (matches) return this.log.message(current);
      } else if (this.#live) {
        return 'none';
      } else {
        this.#live = true;
        this.#sinceCheckpoint = 0;
        this.#due = { commit: this.log.end, prepare: 0 };
      }
    }
    return 'busy';
  }

  #count(position: Position, matches: boolean): void {
    const { window, checkpointInterval } = this.filter;
    this.#sinceCheckpoint++;
    if (this.#live) {
      if (this.#sinceCheckpoint >= checkpointInterval) this.#reach(position);
      return;
    }
    if (this.#pageSeen === 0) this.#pagePosition = { commit: position.commit, prepare: 0 };
    if (matches) this.#pagePosition = position;
    this.#pageSeen = (this.#pageSeen + 1) % window;
    if (this.#pageSeen === 0 && this.#sinceCheckpoint >= checkpointInterval) this.#reach(this.#pagePosition!);
  }

  #reach(position: Position): void {
    this.#sinceCheckpoint = 0;
    this.#due = position;
  }
}

function checkpoint({ commit, prepare }: Position): Buffer {
  const message = new streams.ReadResp.Checkpoint();
  message.setCommitPosition(String(commit));
  message.setPreparePosition(String(prepare));
  const response = new streams.ReadResp();
  response.setCheckpoint(message);
  return Buffer.from(response.serializeBinary());
}

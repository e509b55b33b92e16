import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { Slices } from '#kernel';
import { located, mayReadMessage, type MessageRow } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { described, integer, named, object, truth, type Wire } from '#wire';
import { Candidates } from './candidates.js';
import { standingsOf } from './message-at.js';
import { assertShowsHistory } from './past-messages.js';
import type { PastPlace } from './past-place.js';
import { type ReadingTimes, ReadingTimesReader } from './reading-times.js';

/** The newest messages of a conversation, of which moments are told, and as many that have left it. */
const EXAMINED_MAX = 1_000;
const MOMENTS_MAX = 1_000;
const DURATION_MAX_MS = 1_000;
const ROWS_PER_LOOK = 64;

/** What happened to a conversation within a second. */
export const MomentSchema = named(
  'Moment',
  object({
    time: described(integer, 'Seconds since the epoch.'),
    sent: described(integer, 'Messages sent.'),
    edited: described(integer, 'Messages that were edited; where only moves are shown, none.'),
    moved_in: described(integer, 'Messages that moved here.'),
    moved_out: described(integer, 'Messages that moved elsewhere.'),
    resolved: described(truth, 'The topic was marked as resolved, or not any more.'),
  }),
);

type Moment = { -readonly [Field in keyof Wire<typeof MomentSchema>]: Wire<typeof MomentSchema>[Field] };

export interface PastMoments {
  /** Ascending. */
  readonly moments: readonly Wire<typeof MomentSchema>[];
  /** Changes before the first moment may be missing. */
  readonly isCut: boolean;
}

/** The times at which a conversation changed, as far as the viewer may know (endpoints.md §3, GET /past/moments). */
export class PastMomentsQuery extends Query<PastMoments> {
  constructor(
    readonly viewer: User,
    readonly place: PastPlace,
  ) {
    super();
  }
}

export const pastMoments = query(
  PastMomentsQuery,
  { directory: Directory, candidates: Candidates, times: ReadingTimesReader },
  async ({ viewer, place }, { directory, candidates, times }) => {
    assertShowsHistory(directory);
    const left = await candidates.leftSince(place, 0, EXAMINED_MAX);
    const found = new Moments(place, await times.of(viewer, place));
    const slices = new Slices();
    const endsMs = performance.now() + DURATION_MAX_MS;
    let examined = 0;
    let isCut = left.isCut;
    for await (const row of candidates.below(place, left.ids, Number.MAX_SAFE_INTEGER)) {
      if (examined === EXAMINED_MAX + left.ids.length || performance.now() > endsMs) {
        isCut = true;
        break;
      }
      if (mayReadMessage(directory, viewer, located(row.id, row.doc))) found.add(directory, viewer, row);
      if (++examined % ROWS_PER_LOOK === 0 && slices.isOver) await slices.next();
    }
    return found.answer(isCut);
  },
);

class Moments {
  readonly #byTime = new Map<number, Moment>();

  constructor(
    private readonly place: PastPlace,
    private readonly times: ReadingTimes,
  ) {}

  add(directory: Directory, viewer: User, row: MessageRow): void {
    const { known, steps } = standingsOf(directory, viewer, row);
    for (const { edit, before, after } of steps) {
      const [was, is] = [this.place.holds(before), this.place.holds(after)];
      if (!was && !is) continue;
      this.#change(edit.at, (moment) => {
        if (!was) moment.moved_in++;
        else if (!is) moment.moved_out++;
        else if (edit.edited === true && showsEdits(directory)) moment.edited++;
        if (was && is && before.topicKey !== after.topicKey) moment.resolved = true;
      });
    }
    const first = steps.at(-1)?.before ?? row.doc;
    // Where the viewer may not know how it began, it begins for them with a change.
    if (known.at === row.doc.at && !known.beginsLate && this.place.holds(first))
      this.#change(row.doc.at, (moment) => moment.sent++);
  }

  #change(time: number, change: (moment: Moment) => void): void {
    if (!this.times.includes(time)) return;
    const moment = this.#byTime.get(time) ?? {
      time,
      sent: 0,
      edited: 0,
      moved_in: 0,
      moved_out: 0,
      resolved: false,
    };
    change(moment);
    if (moment.sent + moment.edited + moment.moved_in + moment.moved_out > 0 || moment.resolved)
      this.#byTime.set(time, moment);
  }

  answer(isCut: boolean): PastMoments {
    const moments = [...this.#byTime.values()].sort((a, b) => a.time - b.time);
    return { moments: moments.slice(-MOMENTS_MAX), isCut: isCut || moments.length > MOMENTS_MAX };
  }
}

function showsEdits({ settings }: Pick<Directory, 'settings'>): boolean {
  return settings.message_edit_history_visibility_policy === 'all';
}

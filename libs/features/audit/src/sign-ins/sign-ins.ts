import type { Directory } from '#people';
import type { Collection } from '#read-store';
import type { UsesNoted } from '#uses';
import { useRow } from '../acts/use-row.js';
import type { AnswerLog } from '../log/answer-log.js';
import { isWithin, type Period } from '../moment.js';
import type { PlaceRow } from '../places/place-row.js';
import { rowsOfPeriod } from '../places/place-rows.js';
import { eventsInBatches } from '../places/places.reader.js';
import { type LogEvent, type Row, rowOf } from '../rows.js';
import { wireUser } from '../wire.js';
import { accountOf, isSignIn, signInsOf } from './sign-ins.projection.js';

/** Finds the events with sign-ins. */
export class SignInsReader {
  constructor(private readonly signIns: Collection<PlaceRow>) {}

  /** Rows in the order of the log, page by page: all of a period, and some beside it. */
  of(userId: number | undefined, isFailedOnly: boolean, period: Period): AsyncGenerator<PlaceRow, void, void> {
    return rowsOfPeriod(this.signIns, signInsOf(userId, isFailedOnly), period);
  }
}

/** Who signed in, and who failed to, in the order of the log. */
export class SignIns {
  constructor(
    private readonly directory: Directory,
    private readonly store: AnswerLog,
    private readonly signIns: SignInsReader,
  ) {}

  /** @param userId undefined for all accounts, and for attempts that named none */
  async *rows(userId: number | undefined, isFailedOnly: boolean, period: Period): AsyncGenerator<Row, void, void> {
    const places = this.signIns.of(userId, isFailedOnly, period);
    for await (const event of eventsInBatches(this.store, places))
      for (const row of this.#told(event, userId, isFailedOnly)) if (isWithin(period, row)) yield row;
  }

  *#told(event: LogEvent, userId: number | undefined, isFailedOnly: boolean): Generator<Row, void, void> {
    const { uses, more = {} } = event.data as UsesNoted['data'];
    for (const use of uses) {
      const account = accountOf(use);
      if (!isSignIn(use.kind, isFailedOnly) || (userId !== undefined && userId !== account)) continue;
      const user = account === undefined ? undefined : wireUser(this.directory, account);
      yield { ...useRow(this.directory, event, use), user_id: undefined, user };
    }
    if (userId !== undefined) return;
    for (const [kind, count] of Object.entries(more))
      if (isSignIn(kind, isFailedOnly)) yield rowOf(this.directory, event, 'used', { use: kind, more: count });
  }
}

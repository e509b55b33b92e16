import { BoundedMap } from '#kernel';
import type { Directory } from '#people';
import type { SubscriptionSpan } from '#channels/model';
import type { AnswerLog } from '../log/answer-log.js';
import { isUpTo, type Moment } from '../moment.js';
import { keyOf, subjects } from '../places/place-row.js';
import type { PlacesReader } from '../places/places.reader.js';
import { eventAt } from '../places/places.reader.js';
import type { LogEvent, Row } from '../rows.js';
import { recordedRow } from './recorded.js';

/** Many users are subscribed by one event. */
const KEPT_EVENTS = 64;

/** Events about parts of the organization, by the index. */
export class Changes {
  constructor(
    private readonly directory: Directory,
    private readonly store: AnswerLog,
    private readonly places: PlacesReader,
  ) {}

  /** The events of a subject up to a moment, or after it. */
  async *events(subject: string, moment: Moment, which: 'up to' | 'after'): AsyncGenerator<LogEvent, void, void> {
    for await (const place of this.places.of(subject)) {
      if (isUpTo(moment, place) !== (which === 'up to')) continue;
      const event = await eventAt(this.store, place);
      if (event !== undefined) yield event;
    }
  }

  /** What became of it: since the moment, or ever when that is now. */
  async *since(subject: string, moment: Moment): AsyncGenerator<Row, void, void> {
    const which = moment.kind === 'now' ? 'up to' : 'after';
    for await (const event of this.events(subject, moment, which)) yield recordedRow(this.directory, event);
  }

  /** The last event of a subject up to a moment. */
  async last(subject: string, moment: Moment): Promise<LogEvent | undefined> {
    for await (const place of this.places.newest(subject)) {
      const event = isUpTo(moment, place) ? await eventAt(this.store, place) : undefined;
      if (event !== undefined) return event;
    }
    return undefined;
  }

  /** Finds the events by which spans of subscriptions began or ended, and keeps a few. */
  subscriptionEvents(): (userId: number, position: number) => Promise<LogEvent | undefined> {
    const kept = new BoundedMap<number, LogEvent>(KEPT_EVENTS);
    return async (userId, position) => {
      const known = kept.get(position);
      if (known !== undefined) return known;
      // A deactivation ends subscriptions, and a reactivation begins them again.
      const found =
        (await this.places.get(keyOf(subjects.subscriptions, position))) ??
        (await this.places.get(keyOf(subjects.user(userId), position)));
      if (found === undefined) return undefined;
      const event = await eventAt(this.store, found);
      if (event !== undefined) kept.set(position, event);
      return event;
    };
  }
}

/** The span that covers a position. */
export function spanAt(spans: readonly SubscriptionSpan[], position: number): SubscriptionSpan | undefined {
  return spans.findLast(
    ({ fromPosition, untilPosition }) =>
      fromPosition <= position && (untilPosition === null || position < untilPosition),
  );
}

/** Of a subscription. */
export interface Changed {
  /** Of the event by which it began or ended. */
  readonly position: number;
  readonly what: 'subscribed' | 'unsubscribed';
}

/** Where spans begin and end after a position. */
export function changedIn<Of extends object>(
  spans: readonly SubscriptionSpan[],
  since: number,
  of: Of,
): (Changed & Of)[] {
  return spans.flatMap(({ fromPosition, untilPosition }) => [
    ...(fromPosition > since ? [{ position: fromPosition, what: 'subscribed' as const, ...of }] : []),
    ...(untilPosition !== null && untilPosition > since
      ? [{ position: untilPosition, what: 'unsubscribed' as const, ...of }]
      : []),
  ]);
}

import { Injectable } from '@nestjs/common';
import { placeKeyOf, PlacesReader, placeSubjects } from '#audit';
import { Directory } from '#people';
import { mayReadUnsubscribed } from '#channels/model';
import type { User } from '#users/model';
import type { PastPlace } from './past-place.js';

/** When somebody could read a place. */
export interface ReadingTimes {
  /** @param time seconds since the epoch */
  includes(time: number): boolean;
}

const ALWAYS: ReadingTimes = { includes: () => true };
/** A user who comes and goes more often is taken to have been away before. */
const SPANS_MAX = 100;

/**
 * Who may read a channel without a subscription is taken to have been able to at all times, as for histories of messages. For all others
 * it is the times of their subscriptions, which the index of the log's places has.
 */
@Injectable()
export class ReadingTimesReader {
  constructor(
    private readonly directory: Directory,
    private readonly places: PlacesReader,
  ) {}

  async of(viewer: User, { channel }: PastPlace): Promise<ReadingTimes> {
    if (channel === undefined || mayReadUnsubscribed(this.directory, viewer, channel)) return ALWAYS;
    const { channelId } = channel;
    const spans = this.directory.subscription(viewer.userId, channelId)?.spans ?? [];
    const times: { readonly from: number; readonly until: number }[] = [];
    for (const { fromPosition, untilPosition } of spans.slice(-SPANS_MAX)) {
      const from = await this.#timeAt(viewer.userId, channelId, fromPosition);
      const until = untilPosition === null ? Infinity : await this.#timeAt(viewer.userId, channelId, untilPosition);
      if (from !== undefined && until !== undefined) times.push({ from, until });
    }
    return { includes: (time) => times.some(({ from, until }) => from <= time && time < until) };
  }

  /** A subscription begins and ends with an event of the channel, or of the user's account. */
  async #timeAt(userId: number, channelId: number, position: number): Promise<number | undefined> {
    for (const subject of [placeSubjects.channel(channelId), placeSubjects.user(userId)]) {
      const row = await this.places.get(placeKeyOf(subject, position));
      if (row !== undefined) return row.at;
    }
    return undefined;
  }
}

import { Injectable } from '@nestjs/common';
import { type PlaceRow, PlacesReader, placeSubjects } from '#audit';
import { type MessageRow, MessagesReader } from '#messages';
import { where } from '#read-store';
import type { PastPlace } from './past-place.js';

/** Messages of one look into the read model. */
const PAGE = 128;
/** Departures of messages from a place that are looked through: a few hundred milliseconds, in slices. */
export const LEFT_MAX = 20_000;

/** Messages that left a place after a time. */
export interface Left {
  /** Descending, each once. */
  readonly ids: readonly number[];
  /** More left than are looked through; those that did so long ago are missing. */
  readonly isCut: boolean;
}

/** Finds messages that may have been in a place at a time: those that are in it now, and those that have left it since. */
@Injectable()
export class Candidates {
  constructor(
    private readonly messages: MessagesReader,
    private readonly places: PlacesReader,
  ) {}

  /** ID of the last message sent up to a time, by halving: IDs follow the times of sending. 0 for none. */
  async lastIdAt(time: number): Promise<number> {
    let [known, beyond] = [0, (await this.messages.newestId()) + 1];
    while (beyond - known > 1) {
      const middle = Math.floor((known + beyond) / 2);
      const range = where.range('$key', { gte: middle, lt: beyond });
      const [row] = await this.messages.find(range, 'ascending', 1);
      if (row === undefined || row.doc.at > time) beyond = middle;
      else known = row.id;
    }
    return known;
  }

  /** Messages that moved out of a topic after a time, as the index of places in the log has them. Deleted ones are among them. */
  async leftSince({ channel, topicKeys }: PastPlace, time: number, most = LEFT_MAX): Promise<Left> {
    const ids = new Set<number>();
    let examined = 0;
    for await (const row of this.#departures(channel?.channelId, topicKeys)) {
      if (row.at <= time) continue;
      if (++examined > most) return { ids: descending(ids), isCut: true };
      if (row.messageId !== undefined) ids.add(row.messageId);
    }
    return { ids: descending(ids), isCut: false };
  }

  async *#departures(
    channelId: number | undefined,
    topicKeys: readonly string[],
  ): AsyncGenerator<PlaceRow, void, void> {
    // Messages do not move out of direct conversations.
    if (channelId === undefined) return;
    for (const key of topicKeys) yield* this.places.newest(placeSubjects.left(channelId, key));
  }

  /** Both together from an ID down, without those that do not exist any more. */
  async *below(place: PastPlace, left: readonly number[], fromId: number): AsyncGenerator<MessageRow, void, void> {
    const gone = left.filter((id) => id < fromId);
    let next = 0;
    for (let below = fromId; ;) {
      const range = where.range('$key', { lt: below });
      const { rows, isLast, reached } = await this.messages.page(where.and(place.filter, range), 'descending', PAGE);
      const lowest = isLast ? 0 : (reached ?? 0);
      const end = gone.findIndex((id, index) => index >= next && id < lowest);
      const among = gone.slice(next, end === -1 ? undefined : end);
      next = end === -1 ? gone.length : end;
      yield* merged(rows, await this.#existing(among));
      if (isLast || reached === undefined) return;
      below = reached;
    }
  }

  async #existing(ids: readonly number[]): Promise<MessageRow[]> {
    if (ids.length === 0) return [];
    const docs = await this.messages.getMany(ids);
    return ids.flatMap((id) => {
      const doc = docs.get(id);
      return doc === undefined ? [] : [{ id, doc }];
    });
  }
}

function descending(ids: ReadonlySet<number>): number[] {
  return [...ids].sort((a, b) => b - a);
}

/** A message that has come back is in both. */
function merged(here: readonly MessageRow[], left: readonly MessageRow[]): MessageRow[] {
  const byId = new Map([...here, ...left].map((row) => [row.id, row] as const));
  return [...byId.values()].sort((a, b) => b.id - a.id);
}

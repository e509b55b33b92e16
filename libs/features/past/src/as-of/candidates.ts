import { Injectable } from '@nestjs/common';
import { CLOCKS_APART_SECONDS, PlacesReader, placeSubjects } from '#audit';
import { Slices } from '#kernel';
import { type MessageRow, MessagesReader } from '#messages';
import { where } from '#read-store';
import type { PastPlace } from './past-place.js';

/** Messages of one look into the read model. */
const PAGE = 128;
const LEFT_PAGE = 16;
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

  /** Messages that moved out of a topic after a time, as the index of places in the log has them. Deleted ones are among them. */
  async leftSince({ channel, topicKeys }: PastPlace, time: number, most = LEFT_MAX): Promise<Left> {
    const ids = new Set<number>();
    let examined = 0;
    // Messages do not move out of direct conversations.
    const subjects = channel === undefined ? [] : topicKeys.map((key) => placeSubjects.left(channel.channelId, key));
    for (const subject of subjects)
      for await (const row of this.places.newest(subject)) {
        if (row.at <= time - CLOCKS_APART_SECONDS) break;
        if (row.at <= time) continue;
        if (++examined > most) return { ids: descending(ids), isCut: true };
        if (row.messageId !== undefined) ids.add(row.messageId);
      }
    return { ids: descending(ids), isCut: false };
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
      yield* this.#merged(rows, among);
      if (isLast || reached === undefined) return;
      below = reached;
    }
  }

  /** Descending, each once: a message that has come back is in both. Those that left are read some at a time, however many they are. */
  async *#merged(here: readonly MessageRow[], left: readonly number[]): AsyncGenerator<MessageRow, void, void> {
    let next = 0;
    const slices = new Slices();
    for (let from = 0; from < left.length; from += LEFT_PAGE) {
      if (slices.isOver) await slices.next();
      const ids = left.slice(from, from + LEFT_PAGE);
      const docs = await this.messages.getMany(ids);
      for (const id of ids) {
        for (; (here[next]?.id ?? 0) > id; next++) yield here[next] as MessageRow;
        if (here[next]?.id === id) next++;
        const doc = docs.get(id);
        if (doc !== undefined) yield { id, doc };
      }
    }
    yield* here.slice(next);
  }
}

function descending(ids: ReadonlySet<number>): number[] {
  return [...ids].sort((a, b) => b - a);
}

import { Injectable } from '@nestjs/common';
import { nextSlice } from '#kernel';
import { Directory } from '#people';
import { hasSharedHistory, type Channel } from '#channels/model';
import type { User } from '#users/model';
import { where } from '#read-store';
import { located, mayReadMessage } from '../model/message.access.js';
import type { MoveRest, MoveWindow } from './move.commands.js';
import { topicKeyOf } from '../model/place.js';
import { MessagesReader, sizeOf } from '../existing/messages.reader.js';
import { inTopic } from '../existing/place-filters.js';

/**
 * Maximum messages moved by one event: all effects of an event are one commit, for which other writes wait. Moving a
 * message costs 0.1 to 0.4 ms.
 */
export const MOVED_AT_ONCE_MAX = 100;
/** A message is indexed again with its new topic: one of the largest size has a thousand words, which takes 2 ms. */
const MOVED_BYTES_MAX = 50_000;
/** Maximum messages without access that are skipped in one turn. */
const EXAMINED_MAX = 1_000;
const READ_PER_SLICE = 64;

/** Some messages of a topic, in ID order. */
export interface Portion {
  readonly ids: readonly number[];
  /** Everything up to this ID has been examined. */
  readonly after: number;
  /** There are no more messages. */
  readonly isLast: boolean;
}

/** A topic of a channel, as a user sees it. */
export interface SeenTopic {
  readonly actor: User;
  readonly channel: Channel;
  readonly topic: string;
}

/** Divides the messages of a topic into portions that one event can move. */
@Injectable()
export class MovePortions {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
  ) {}

  /**
   * The next messages that the actor may see, without the excluded one: as many as one event may move, and at least
   * one.
   */
  async next({ actor, channel, topic }: SeenTopic, { after, until }: MoveRest, except: number): Promise<Portion> {
    const filter = where.and(
      inTopic(channel.channelId, topicKeyOf(topic)),
      where.range('$key', { gt: after, lte: until }),
    );
    const ids: number[] = [];
    let reached = after;
    let [bytes, examined] = [0, 0];
    for await (const { id, doc } of this.reader.walk(filter, 'ascending')) {
      const isWanted = id !== except && mayReadMessage(this.directory, actor, located(id, doc));
      bytes += sizeOf(doc);
      examined++;
      const isTooMuch = bytes > MOVED_BYTES_MAX && examined > 1;
      if (isTooMuch || ids.length === MOVED_AT_ONCE_MAX || examined > EXAMINED_MAX)
        return { ids, after: reached, isLast: false };
      if (isWanted) ids.push(id);
      reached = id;
    }
    return { ids, after: until, isLast: true };
  }

  /** The newest message of the topic; 0 when there is none. */
  async newest({ channelId }: Channel, topic: string): Promise<number> {
    const [newest] = await this.reader.findIds(inTopic(channelId, topicKeyOf(topic)), 'descending', 1);
    return newest ?? 0;
  }

  /**
   * Whether all messages of the topic that the actor sees were sent at a time or later; false also when finding out
   * takes too long.
   */
  async isYoung({ actor, channel, topic }: SeenTopic, oldest: number): Promise<boolean> {
    let examined = 0;
    for await (const { id, doc } of this.reader.walk(inTopic(channel.channelId, topicKeyOf(topic)), 'ascending')) {
      // IDs grow with time.
      if (mayReadMessage(this.directory, actor, located(id, doc))) return doc.at >= oldest;
      if (++examined === EXAMINED_MAX) return false;
    }
    return true;
  }

  /**
   * The part of the topic that the actor may move when messages from before a time stay. Examines all messages of the
   * topic.
   */
  async window(topic: SeenTopic, oldest: number): Promise<MoveWindow> {
    const ids: number[] = [];
    for await (const page of this.#seenIds(topic)) for (const id of page) ids.push(id);
    // Binary search by ID for the first message that is young enough.
    let low = 0;
    let high = ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (await this.#wasSentSince(ids[middle] ?? 0, oldest)) high = middle;
      else low = middle + 1;
    }
    return { firstAllowedId: ids[low] ?? null, allowedCount: ids.length - low, totalCount: ids.length };
  }

  async #wasSentSince(messageId: number, oldest: number): Promise<boolean> {
    const doc = await this.reader.get(messageId);
    return doc !== undefined && doc.at >= oldest;
  }

  /** IDs of the messages that the actor may see, ascending. Yields to other requests between pages. */
  async *#seenIds({ actor, channel, topic }: SeenTopic): AsyncGenerator<readonly number[], void, void> {
    const filter = inTopic(channel.channelId, topicKeyOf(topic));
    if (hasSharedHistory(channel)) return yield* this.reader.scanIds(filter);
    let examined = 0;
    for await (const { id, doc } of this.reader.walk(filter, 'ascending')) {
      if (mayReadMessage(this.directory, actor, located(id, doc))) yield [id];
      if (++examined % READ_PER_SLICE === 0) await nextSlice();
    }
  }
}

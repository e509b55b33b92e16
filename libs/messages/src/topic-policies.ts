import { Injectable } from '@nestjs/common';
import { CommandPath, streams } from '#event-store';
import type { Cause } from '#follow-ups';
import { atOnce } from '#kernel';
import { Directory, hasSharedHistory, mayReadChannel, followMoveDecider, type User } from '#organization';
import { located, mayReadMessage } from './message.access.js';
import type { ChannelPlace, MovedWithWishes } from './messages.events.js';
import { topicKeyOf } from './place.js';
import { MessagesReader, PAGE_MAX } from './queries/messages.reader.js';
import { inTopic } from './queries/place-filters.js';

/** Users whose preferences are changed at the same time. */
const CHANGED_AT_ONCE = 32;

/** What users want to see of a topic follows the topic when all of it moves (rules.md §6). */
@Injectable()
export class TopicPolicies {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly path: CommandPath,
  ) {}

  /** Policies that have followed the move already stay as they are. */
  async follow(actor: User, { key: cause, data }: Cause<MovedWithWishes>): Promise<void> {
    const { from, to, at } = data;
    const { merges } = data.entails;
    if (from.channelId === to.channelId && topicKeyOf(from.topic) === topicKeyOf(to.topic)) return;
    const concerned = [...new Set([...this.#usersIn(from), ...(merges ? this.#usersIn(to) : [])])];
    if (concerned.length === 0 || (await this.#isAnythingLeft(actor, from))) return;
    await atOnce(CHANGED_AT_ONCE, concerned, (userId) => {
      const mayFollow = this.#mayRead(userId, to);
      const command = { type: 'follow-move', userId, from, to, merges, mayFollow, cause, at } as const;
      return this.path.run(followMoveDecider, streams.user(userId), command);
    });
  }

  #usersIn({ channelId, topic }: ChannelPlace): number[] {
    return Array.from(this.directory.preferences.inTopic(channelId, topic), ({ userId }) => userId);
  }

  /** Among what the actor can see; of a topic with protected history, its newest messages tell. */
  async #isAnythingLeft(actor: User, { channelId, topic }: ChannelPlace): Promise<boolean> {
    const channel = this.directory.channel(channelId);
    if (channel === undefined) return false;
    if (hasSharedHistory(channel)) return (await this.reader.newestInTopic(channelId, topicKeyOf(topic))) !== undefined;
    const left = await this.reader.find(inTopic(channelId, topicKeyOf(topic)), 'descending', PAGE_MAX);
    return left.some(({ id, doc }) => mayReadMessage(this.directory, actor, located(id, doc)));
  }

  #mayRead(userId: number, { channelId }: ChannelPlace): boolean {
    const user = this.directory.user(userId);
    const channel = this.directory.channel(channelId);
    return user !== undefined && channel !== undefined && mayReadChannel(this.directory, user, channel);
  }
}

import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import type { Trigger } from '#follow-ups';
import { forEachInBatches, nextSlice } from '#kernel';
import { Directory, hasSharedHistory, mayReadChannel, followMoveDecider, type User } from '#organization';
import { located, mayReadMessage } from '../model/message.access.js';
import type { ChannelPlace, MovedWithWishes } from '../model/messages.events.js';
import { topicKeyOf } from '../model/place.js';
import { MessagesReader } from '../fetch/messages.reader.js';
import { inTopic } from '../fetch/place-filters.js';

/** Users whose preferences are changed in parallel. */
const CHANGED_AT_ONCE = 32;
/** Newest messages examined to find out whether the actor sees any that are left. */
const EXAMINED_MAX = 1_000;
const READ_PER_SLICE = 64;

/** Moves users' visibility policies of a topic along when the whole topic moves (rules.md §6). */
@Injectable()
export class TopicPolicies {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly runner: CommandRunner,
  ) {}

  /** Policies that have followed the move already are not changed again. */
  async follow(actor: User, { key: cause, data }: Trigger<MovedWithWishes>): Promise<void> {
    const { from, to, at } = data;
    const { merges } = data.entails;
    if (from.channelId === to.channelId && topicKeyOf(from.topic) === topicKeyOf(to.topic)) return;
    const concerned = [...new Set([...this.#usersIn(from), ...(merges ? this.#usersIn(to) : [])])];
    if (concerned.length === 0 || (await this.#isAnythingLeft(actor, from))) return;
    await forEachInBatches(CHANGED_AT_ONCE, concerned, (userId) => {
      const mayFollow = this.#mayRead(userId, to);
      const command = { type: 'follow-move', userId, from, to, merges, mayFollow, cause, at } as const;
      return this.runner.run(followMoveDecider, streams.user(userId), command);
    });
  }

  #usersIn({ channelId, topic }: ChannelPlace): number[] {
    return Array.from(this.directory.preferences.inTopic(channelId, topic), ({ userId }) => userId);
  }

  /** Of the messages that the actor can see; with protected history, the newest of the topic decide. */
  async #isAnythingLeft(actor: User, { channelId, topic }: ChannelPlace): Promise<boolean> {
    const channel = this.directory.channel(channelId);
    if (channel === undefined) return false;
    if (hasSharedHistory(channel)) return (await this.reader.newestInTopic(channelId, topicKeyOf(topic))) !== undefined;
    let examined = 0;
    for await (const { id, doc } of this.reader.walk(inTopic(channelId, topicKeyOf(topic)), 'descending')) {
      if (mayReadMessage(this.directory, actor, located(id, doc))) return true;
      if (++examined === EXAMINED_MAX) return false;
      if (examined % READ_PER_SLICE === 0) await nextSlice();
    }
    return false;
  }

  #mayRead(userId: number, { channelId }: ChannelPlace): boolean {
    const user = this.directory.user(userId);
    const channel = this.directory.channel(channelId);
    return user !== undefined && channel !== undefined && mayReadChannel(this.directory, user, channel);
  }
}

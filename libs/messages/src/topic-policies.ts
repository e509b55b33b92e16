import { Injectable } from '@nestjs/common';
import { CommandPath, streams } from '#event-store';
import {
  Directory,
  hasSharedHistory,
  mayReadChannel,
  preferencesDecider,
  TOPIC_POLICY,
  type TopicPolicy,
  type User,
} from '#organization';
import { located, mayReadMessage } from './message.access.js';
import type { ChannelPlace, MessagesMoved } from './messages.events.js';
import { topicKeyOf } from './place.js';
import { MessagesReader, PAGE_MAX } from './queries/messages.reader.js';
import { inTopic } from './queries/place-filters.js';

/** Users whose preferences are changed at the same time. */
const AT_ONCE = 32;

/** What users want to see of a topic follows the topic when all of it moves (rules.md §6). */
@Injectable()
export class TopicPolicies {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly path: CommandPath,
  ) {}

  /** @param merges whether there were messages where the topic went */
  async follow(actor: User, { from, to, at }: MessagesMoved['data'], merges: boolean): Promise<void> {
    if (from.channelId === to.channelId && topicKeyOf(from.topic) === topicKeyOf(to.topic)) return;
    const old = this.#policiesIn(from);
    const there = this.#policiesIn(to);
    const concerned = [...new Set([...old.keys(), ...(merges ? there.keys() : [])])];
    if (concerned.length === 0 || (await this.#isAnythingLeft(actor, from))) return;
    for (let done = 0; done < concerned.length; done += AT_ONCE) {
      const work = concerned.slice(done, done + AT_ONCE).map(async (userId) => {
        const [before, target] = [old.get(userId) ?? TOPIC_POLICY.inherit, there.get(userId) ?? TOPIC_POLICY.inherit];
        if (before !== TOPIC_POLICY.inherit) await this.#set(userId, from, TOPIC_POLICY.inherit, at);
        const policy = merges ? mergedPolicy(before, target) : before;
        if (policy !== target && this.#mayRead(userId, to)) await this.#set(userId, to, policy, at);
      });
      await Promise.all(work);
    }
  }

  #policiesIn({ channelId, topic }: ChannelPlace): Map<number, TopicPolicy> {
    const policies = this.directory.preferences.inTopic(channelId, topic);
    return new Map(Array.from(policies, ({ userId, policy }) => [userId, policy]));
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

  async #set(userId: number, { channelId, topic }: ChannelPlace, policy: TopicPolicy, at: number): Promise<void> {
    const command = { type: 'set-topic-policy', userId, channelId, topic, policy, at } as const;
    await this.path.run(preferencesDecider, streams.user(userId), command);
  }
}

/** Where two topics become one: what is the same stays, then following wins, then unmuting (rules.md §6). */
function mergedPolicy(one: TopicPolicy, other: TopicPolicy): TopicPolicy {
  if (one === other) return one;
  if (one === TOPIC_POLICY.followed || other === TOPIC_POLICY.followed) return TOPIC_POLICY.followed;
  if (one === TOPIC_POLICY.unmuted || other === TOPIC_POLICY.unmuted) return TOPIC_POLICY.unmuted;
  return TOPIC_POLICY.inherit;
}

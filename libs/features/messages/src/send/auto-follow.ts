import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { BoundedMap, Clock, type Origin, originFrom } from '#kernel';
import { Directory } from '#people';
import { hasSharedHistory, mayReadArriving } from '#channels/model';
import type { User } from '#users/model';
import { policyAfter, preferencesDecider, TOPIC_POLICY, preferencesPart } from '#preferences/model';
import type { ChannelPlace, Place } from '../model/messages.events.js';
import { topicKeyOf } from '../model/place.js';
import { MessagesReader } from '../existing/messages.reader.js';
import { seesAnythingIn } from '../existing/visible-topic.js';

/**
 * A topic that was emptied less than this ago still counts as existing, which saves nearly every send a read of the
 * store.
 */
const BEGUN_FOR_MS = 60_000;
const TOPICS_MAX = 10_000;

type Raised = typeof TOPIC_POLICY.unmuted | typeof TOPIC_POLICY.followed;

/** Changes a topic's visibility for users who take part or are mentioned in it (rules.md §7, register.md §5). */
@Injectable()
export class AutoFollow {
  /** Until when topics are known to exist, in milliseconds since the epoch. */
  readonly #begun = new BoundedMap<string, number>(TOPICS_MAX);

  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * Must be called before the message is recorded, so that recipients see the topic with its new policy.
   * @param mentioned users mentioned by name
   * @returns the sender's new policy; undefined when it stays
   */
  async beforeSend(sender: User, place: Place, mentioned: readonly number[]): Promise<Raised | undefined> {
    if (!('channelId' in place)) return undefined;
    await Promise.all(mentioned.map((userId) => this.#mentioned(sender, userId, place)));
    if (sender.botType !== null) return undefined;
    const [bySending, byBeginning] = [this.#policy(sender, place, 'send'), this.#policy(sender, place, 'initiation')];
    const isSettled = bySending === byBeginning || this.#current(sender.userId, place) >= (byBeginning ?? 0);
    const policy = isSettled || !(await this.#begins(sender, place)) ? bySending : byBeginning;
    return this.#raise(sender.userId, place, policy, 'participation', originFrom(sender));
  }

  /** For users who reacted or voted. A reaction from outside is no part in a channel's topic. */
  async tookPart(user: User, place: Place): Promise<void> {
    if (!('channelId' in place) || user.botType !== null) return;
    if (!this.directory.isSubscribed(user.userId, place.channelId)) return;
    const policy = this.#policy(user, place, 'participation');
    await this.#raise(user.userId, place, policy, 'participation', originFrom(user));
  }

  async #mentioned(sender: User, userId: number, place: ChannelPlace): Promise<void> {
    const { directory } = this;
    const user = directory.user(userId);
    const channel = directory.channel(place.channelId);
    if (user === undefined || channel === undefined || userId === sender.userId) return;
    if (!user.isActive || user.botType !== null || !mayReadArriving(directory, user, channel)) return;
    if (!directory.of(preferencesPart).setting(userId, 'automatically_follow_topics_where_mentioned')) return;
    if (this.#current(userId, place) === TOPIC_POLICY.muted) return;
    await this.#raise(userId, place, TOPIC_POLICY.followed, 'mention', originFrom(sender));
  }

  #policy({ userId }: User, { channelId }: ChannelPlace, act: Parameters<typeof policyAfter>[0]): Raised | undefined {
    const preferences = this.directory.of(preferencesPart);
    const settings = {
      automatically_follow_topics_policy: preferences.setting(userId, 'automatically_follow_topics_policy'),
      automatically_unmute_topics_in_muted_streams_policy: preferences.setting(
        userId,
        'automatically_unmute_topics_in_muted_streams_policy',
      ),
    };
    return policyAfter(act, settings, this.directory.subscription(userId, channelId)?.isMuted === true);
  }

  async #raise(
    userId: number,
    { channelId, topic }: ChannelPlace,
    policy: Raised | undefined,
    because: 'participation' | 'mention',
    origin: Origin,
  ): Promise<Raised | undefined> {
    if (policy === undefined || this.#current(userId, { channelId, topic }) >= policy) return undefined;
    const at = this.clock.nowSeconds();
    const command = { type: 'raise-topic-policy', userId, channelId, topic, policy, because, at } as const;
    const { events } = await this.runner.run(preferencesDecider, streams.user(userId), command, origin);
    return events.length === 0 ? undefined : policy;
  }

  #current(userId: number, { channelId, topic }: ChannelPlace) {
    return this.directory.of(preferencesPart).topicPolicy(userId, channelId, topic);
  }

  /** With protected history, a topic begins for each user with the first message that they see of it. */
  async #begins(sender: User, place: ChannelPlace): Promise<boolean> {
    const channel = this.directory.channel(place.channelId);
    const isShared = channel === undefined || hasSharedHistory(channel);
    const key = `${place.channelId}:${isShared ? '' : sender.userId}:${topicKeyOf(place.topic)}`;
    const nowMs = this.clock.nowMs();
    if (nowMs < (this.#begun.get(key) ?? 0)) return false;
    const exists = await seesAnythingIn(this.directory, this.reader, sender, place);
    this.#begun.set(key, nowMs + BEGUN_FOR_MS);
    return !exists;
  }
}

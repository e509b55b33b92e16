import { wireTopic } from '#messages';
import { mayKnowChannel } from '#channels/model';
import type { Directory } from '#people';
import type { User } from '#users/model';
import { described, integer, list, named, numbers, object, text, tuple, type Wire } from '#wire';
import { ONBOARDING_STEPS, TOPIC_POLICY, type TopicPolicy, type TopicPreference } from './model/preferences.js';
import { preferencesPart } from './model/preferences.part.js';

export const AlertWordsSchema = list(text);
export const MutedUserSchema = named('MutedUser', object({ id: integer, timestamp: integer }));
export type MutedUser = Wire<typeof MutedUserSchema>;
export const OnboardingStepSchema = object({ type: text, name: text });
export type OnboardingStep = Wire<typeof OnboardingStepSchema>;
export const UserTopicSchema = named(
  'UserTopic',
  object({
    stream_id: integer,
    topic_name: text,
    last_updated: integer,
    visibility_policy: described(numbers(...Object.values(TOPIC_POLICY)), '0 none, 1 muted, 2 unmuted, 3 followed.'),
  }),
);
/** Name of the channel, topic, and since when. */
export const MutedTopicSchema = tuple(text, text, integer);

/** A client's preferences for topics. */
export interface TopicOptions {
  /** The client supports the empty topic. */
  readonly allowEmptyTopicName: boolean;
  /** The client supports archived channels. */
  readonly knowsArchived: boolean;
}

/** A topic's policy in wire format (register.md §2, `user_topic`). */
export function wireUserTopic(
  { channelId, topic, updatedAt, policy }: Omit<TopicPreference, 'policy'> & { readonly policy: TopicPolicy },
  { allowEmptyTopicName }: Pick<TopicOptions, 'allowEmptyTopicName'>,
) {
  return {
    stream_id: channelId,
    topic_name: wireTopic(topic, allowEmptyTopicName),
    last_updated: updatedAt,
    visibility_policy: policy,
  };
}

export function wireUserTopics(directory: Directory, viewer: User, options: TopicOptions) {
  return Array.from(directory.of(preferencesPart).of(viewer.userId).topics.values(), (one) =>
    wireUserTopic(one, options),
  );
}

/** A topic that a user muted. */
export type MutedTopic = Pick<TopicPreference, 'channelId' | 'topic' | 'updatedAt'>;

/** The topics that the user muted. */
export function* mutedTopics(directory: Directory, userId: number): Iterable<MutedTopic> {
  for (const { channelId, topic, policy, updatedAt } of directory.of(preferencesPart).of(userId).topics.values())
    if (policy === TOPIC_POLICY.muted) yield { channelId, topic, updatedAt };
}

/** Muted topics for clients that only know these: channel name, topic, and since when. */
export function wireMutedTopics(
  directory: Directory,
  viewer: User,
  { allowEmptyTopicName, knowsArchived }: TopicOptions,
  topics = mutedTopics(directory, viewer.userId),
): (readonly [string, string, number])[] {
  const muted: (readonly [string, string, number])[] = [];
  for (const { channelId, topic, updatedAt } of topics) {
    const channel = directory.channel(channelId);
    // A channel that the user left may have a new name that they may not know.
    if (channel === undefined || !mayKnowChannel(directory, viewer, channel)) continue;
    if (channel.isArchived && !knowsArchived) continue;
    muted.push([channel.name, wireTopic(topic, allowEmptyTopicName), updatedAt]);
  }
  return muted;
}

export function wireMutedUsers(directory: Directory, userId: number): MutedUser[] {
  return Array.from(directory.of(preferencesPart).of(userId).mutes, ([id, timestamp]) => ({ id, timestamp }));
}

export function wireAlertWords(directory: Directory, userId: number): string[] {
  return [...directory.of(preferencesPart).of(userId).alertWords.values()];
}

/** Address of the film that `navigation_tour_video` shows; there is none. */
export const TOUR_VIDEO_URL = null;
/** Clients that are told of this step without an address never start. */
const SHOWN_STEPS = ONBOARDING_STEPS.filter((name) => name !== 'navigation_tour_video');

/** What the user has not completed. */
export function wireOnboardingSteps(directory: Directory, userId: number): OnboardingStep[] {
  const completed = directory.of(preferencesPart).of(userId).onboardingSteps;
  return SHOWN_STEPS.filter((name) => !completed.includes(name)).map((name) => ({
    type: 'one_time_notice',
    name,
  }));
}

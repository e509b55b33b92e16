import type { Decider } from '#kernel';
import {
  evolvePreferences,
  noPreferences,
  TOPIC_POLICY,
  topicPreferenceKey,
  type Preferences,
  type TopicPolicy,
} from './preferences.js';
import type { PreferencesEvent, TopicPolicySet } from './preferences.events.js';

interface TopicPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** All of a topic went elsewhere, and what a user wants to see of it follows. */
export interface FollowMove {
  readonly type: 'follow-move';
  readonly userId: number;
  readonly from: TopicPlace;
  readonly to: TopicPlace;
  /** There were messages where it went. */
  readonly merges: boolean;
  /** The user may read where it went. */
  readonly mayFollow: boolean;
  /** What names the move for good. */
  readonly cause: string;
  /** When it was moved, in seconds since the epoch. */
  readonly at: number;
}

interface Followed {
  readonly preferences: Preferences;
  /** The moves that the policies followed. */
  readonly causes: Set<string>;
}

/** In the user's `user-{id}` stream; each move is followed once, however often it is asked for (rules.md §6). */
export const followMoveDecider: Decider<Followed, FollowMove, PreferencesEvent> = {
  initial: () => ({ preferences: noPreferences(), causes: new Set() }),
  decide,
  evolve({ preferences, causes }, event) {
    if (event.type === 'topic-policy.set.v1' && event.data.cause !== undefined) causes.add(event.data.cause);
    return { preferences: evolvePreferences(preferences, event), causes };
  },
};

function decide({ preferences, causes }: Followed, command: FollowMove): readonly TopicPolicySet[] {
  const { userId, from, to, merges, mayFollow, cause, at } = command;
  if (causes.has(cause)) return [];
  const policyIn = ({ channelId, topic }: TopicPlace): TopicPolicy =>
    preferences.topics.get(topicPreferenceKey(channelId, topic))?.policy ?? TOPIC_POLICY.inherit;
  const set = ({ channelId, topic }: TopicPlace, policy: TopicPolicy): TopicPolicySet => {
    const spelling = preferences.topics.get(topicPreferenceKey(channelId, topic))?.topic ?? topic;
    return { type: 'topic-policy.set.v1', data: { userId, channelId, topic: spelling, policy, at, cause } };
  };
  const [before, there] = [policyIn(from), policyIn(to)];
  const after = merges ? mergedPolicy(before, there) : before;
  return [
    ...(before === TOPIC_POLICY.inherit ? [] : [set(from, TOPIC_POLICY.inherit)]),
    ...(after === there || !mayFollow ? [] : [set(to, after)]),
  ];
}

/** Where two topics become one: what is the same stays, then following wins, then unmuting (rules.md §6). */
function mergedPolicy(one: TopicPolicy, other: TopicPolicy): TopicPolicy {
  if (one === other) return one;
  if (one === TOPIC_POLICY.followed || other === TOPIC_POLICY.followed) return TOPIC_POLICY.followed;
  if (one === TOPIC_POLICY.unmuted || other === TOPIC_POLICY.unmuted) return TOPIC_POLICY.unmuted;
  return TOPIC_POLICY.inherit;
}

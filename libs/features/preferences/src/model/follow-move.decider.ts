import type { Decider } from '#kernel';
import type { PreferencesEvent, TopicPolicySet } from './preferences.events.js';
import {
  evolvePreferences,
  noPreferences,
  type Preferences,
  TOPIC_POLICY,
  type TopicPolicy,
  topicPreferenceKey,
} from './preferences.js';

interface TopicPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** A whole topic was moved, and a user's policy for it follows. */
export interface FollowMove {
  readonly type: 'follow-move';
  readonly userId: number;
  readonly from: TopicPlace;
  readonly to: TopicPlace;
  /** The new topic had messages already. */
  readonly merges: boolean;
  /** The user may read the new place. */
  readonly mayFollow: boolean;
  /** Permanent identity of the move. */
  readonly cause: string;
  /** Time of the move, in seconds since the epoch. */
  readonly at: number;
}

interface Followed {
  readonly preferences: Preferences;
  /** Moves that the policies followed. */
  readonly causes: Set<string>;
}

/** In the user's `user-{id}` stream; each move is followed once, however often this runs (rules.md §6). */
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

/** Policy of two merged topics: an equal policy stays; otherwise following wins, then unmuting (rules.md §6). */
function mergedPolicy(one: TopicPolicy, other: TopicPolicy): TopicPolicy {
  if (one === other) return one;
  if (one === TOPIC_POLICY.followed || other === TOPIC_POLICY.followed) return TOPIC_POLICY.followed;
  if (one === TOPIC_POLICY.unmuted || other === TOPIC_POLICY.unmuted) return TOPIC_POLICY.unmuted;
  return TOPIC_POLICY.inherit;
}

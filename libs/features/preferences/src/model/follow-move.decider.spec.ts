import { specFor } from '#testing';
import { type FollowMove, followMoveDecider } from './follow-move.decider.js';
import type { TopicPolicySet } from './preferences.events.js';
import { TOPIC_POLICY, type TopicPolicy } from './preferences.js';

const { inherit, muted, unmuted, followed } = TOPIC_POLICY;
const given = specFor(followMoveDecider);
const at = 1_790_000_000;
const cause = '1.message-5@0';

function set(topic: string, policy: TopicPolicy, followedMove?: string): TopicPolicySet {
  const data = { userId: 7, channelId: 3, topic, policy, at };
  return { type: 'topic-policy.set.v1', data: followedMove === undefined ? data : { ...data, cause: followedMove } };
}

function follow(change: Partial<FollowMove> = {}): FollowMove {
  const [from, to] = [
    { channelId: 3, topic: 'old' },
    { channelId: 3, topic: 'new' },
  ];
  return { type: 'follow-move', userId: 7, from, to, merges: false, mayFollow: true, cause, at, ...change };
}

test('a policy goes along', () => {
  given(set('old', followed))
    .when(follow())
    .then(set('old', inherit, cause), set('new', followed, cause));
});

test('once, however often it is asked', () => {
  const [left, came] = [set('old', inherit, cause), set('new', followed, cause)];
  given(set('old', followed), left, came, set('old', muted)).when(follow()).thenNothing();
  given(set('old', followed), left, came, set('old', muted))
    .when(follow({ cause: '1.message-5@1' }))
    .then(set('old', inherit, '1.message-5@1'), set('new', muted, '1.message-5@1'));
  const later = [set('new', inherit, '1.message-5@1'), set('old', followed, '1.message-5@1')];
  given(set('old', followed), left, came, ...later)
    .when(follow())
    .thenNothing();
});

test('when two topics merge, a mute of the new one ends for users without a policy of the old one', () => {
  given(set('new', muted))
    .when(follow({ merges: true }))
    .then(set('new', inherit, cause));
  given()
    .when(follow({ merges: true }))
    .thenNothing();
});

test('the policy is removed for users who may not read the new place', () => {
  given(set('old', followed))
    .when(follow({ mayFollow: false }))
    .then(set('old', inherit, cause));
});

test.each([
  [followed, inherit, followed],
  [inherit, followed, undefined],
  [muted, unmuted, undefined],
  [unmuted, muted, unmuted],
  [muted, muted, undefined],
  [muted, followed, undefined],
] as const)('%i merged into %i becomes %s', (old, there, becomes) => {
  const facts = [...(old === inherit ? [] : [set('Old', old)]), ...(there === inherit ? [] : [set('New', there)])];
  given(...facts)
    .when(follow({ merges: true }))
    .then(
      ...(old === inherit ? [] : [set('Old', inherit, cause)]),
      ...(becomes === undefined ? [] : [set(there === inherit ? 'new' : 'New', becomes, cause)]),
    );
});

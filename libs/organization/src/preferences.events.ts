import { Type } from 'typebox';
import { eventType, exactly, type FactOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Whose preference it is. */
const userId = Id;

/** From now on, messages from that user arrive read. */
export const muteAdded = eventType(
  'mute.added.v1',
  exactly({
    userId,
    mutedUserId: Id,
    at: At,
    /** What they have not read of that user's is to be marked as read; absent in old facts. */
    entails: Type.Optional(Type.Literal('reads')),
  }),
);
export const muteRemoved = eventType('mute.removed.v1', exactly({ userId, mutedUserId: Id, at: At }));

export const alertWordsAdded = eventType(
  'alert-words.added.v1',
  exactly({ userId, words: Type.Array(Type.String(), { minItems: 1 }), at: At }),
);
/** As they were spelled when they were added. */
export const alertWordsRemoved = eventType(
  'alert-words.removed.v1',
  exactly({ userId, words: Type.Array(Type.String(), { minItems: 1 }), at: At }),
);

export const topicPolicySet = eventType(
  'topic-policy.set.v1',
  exactly({
    userId,
    channelId: Id,
    /** As the preference spells it. */
    topic: Type.String(),
    /** See `TOPIC_POLICY`; 0 ends it. */
    policy: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2), Type.Literal(3)]),
    at: At,
    /** The move that the policy follows, by what names it for good. */
    cause: Type.Optional(Type.String()),
  }),
);

export const userSettingsChanged = eventType(
  'user-settings.changed.v1',
  exactly({
    userId,
    /** By their names on the wire; only what changed. */
    settings: Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Integer(), Type.String()])),
    at: At,
  }),
);

export const preferencesEventTypes = [
  muteAdded,
  muteRemoved,
  alertWordsAdded,
  alertWordsRemoved,
  topicPolicySet,
  userSettingsChanged,
] as const;

export type MuteAdded = FactOf<typeof muteAdded>;
export type TopicPolicySet = FactOf<typeof topicPolicySet>;
/** The facts of a `user-{id}` stream: what a user decided for themselves. */
export type PreferencesEvent = FactOf<(typeof preferencesEventTypes)[number]>;

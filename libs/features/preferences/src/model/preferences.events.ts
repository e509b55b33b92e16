import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Owner of the preference. */
const userId = Id;

/** From now on, messages from that user arrive read. */
export const muteAdded = eventType(
  'mute.added.v1',
  exactly({
    userId,
    mutedUserId: Id,
    at: At,
    /** Unread messages of that user are to be marked as read; absent in old events. */
    entails: Type.Optional(Type.Literal('reads')),
  }),
);
export const muteRemoved = eventType('mute.removed.v1', exactly({ userId, mutedUserId: Id, at: At }));

export const alertWordsAdded = eventType(
  'alert-words.added.v1',
  exactly({ userId, words: Type.Array(Type.String(), { minItems: 1 }), at: At }),
);
/** In their original spelling. */
export const alertWordsRemoved = eventType(
  'alert-words.removed.v1',
  exactly({ userId, words: Type.Array(Type.String(), { minItems: 1 }), at: At }),
);

export const topicPolicySet = eventType(
  'topic-policy.set.v1',
  exactly({
    userId,
    channelId: Id,
    /** In the spelling of the preference. */
    topic: Type.String(),
    /** See `TOPIC_POLICY`; 0 removes it. */
    policy: Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2), Type.Literal(3)]),
    at: At,
    /** Permanent identity of the move that the policy follows. */
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
    /** The drafts that are kept on the server are to be erased; absent in old events. */
    entails: Type.Optional(Type.Literal('erased-drafts')),
  }),
);

/** A hint of clients to new users that is not shown again. */
export const onboardingStepCompleted = eventType(
  'onboarding-step.completed.v1',
  exactly({ userId, step: Type.String(), at: At }),
);

export const preferencesEventTypes = [
  muteAdded,
  muteRemoved,
  alertWordsAdded,
  alertWordsRemoved,
  topicPolicySet,
  userSettingsChanged,
  onboardingStepCompleted,
] as const;

export type MuteAdded = EventOf<typeof muteAdded>;
export type TopicPolicySet = EventOf<typeof topicPolicySet>;
/** Events of a `user-{id}` stream that are preferences; the stream holds the user's status as well. */
export type PreferencesEvent = EventOf<(typeof preferencesEventTypes)[number]>;

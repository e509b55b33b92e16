import type { Directory } from '#people';
import { TOPIC_POLICY } from './preferences.js';
import type { UserSettings } from './user-settings.js';
import { preferencesPart } from './preferences.part.js';

/**
 * Whether the topic is hidden from the user: by their policy for the topic, or else that of the channel (rules.md §8).
 */
export function isTopicMuted(directory: Directory, userId: number, channelId: number, topic: string): boolean {
  const policy = directory.of(preferencesPart).topicPolicy(userId, channelId, topic);
  if (policy !== TOPIC_POLICY.inherit) return policy === TOPIC_POLICY.muted;
  return directory.subscription(userId, channelId)?.isMuted === true;
}

/** Acts after which a user's topics are followed or unmuted automatically (register.md §5). */
export const ON = { participation: 1, send: 2, initiation: 3, never: 4 } as const;

/** What a user did in a topic: started it, sent to it, or took part in another way, such as by a reaction. */
export type Act = 'initiation' | 'send' | 'participation';

/** Settings that determine how taking part in a topic changes its visibility. */
export type VisibilitySettings = Pick<
  UserSettings,
  'automatically_follow_topics_policy' | 'automatically_unmute_topics_in_muted_streams_policy'
>;

function comesWith(act: Act, policy: number): boolean {
  return policy !== ON.never && ON[act] >= policy;
}

/** The new policy of the user's topic after an act; undefined for no change. Following wins (rules.md §7). */
export function policyAfter(
  act: Act,
  settings: VisibilitySettings,
  isChannelMuted: boolean,
): typeof TOPIC_POLICY.followed | typeof TOPIC_POLICY.unmuted | undefined {
  if (comesWith(act, settings.automatically_follow_topics_policy)) return TOPIC_POLICY.followed;
  const unmutes = isChannelMuted && comesWith(act, settings.automatically_unmute_topics_in_muted_streams_policy);
  return unmutes ? TOPIC_POLICY.unmuted : undefined;
}

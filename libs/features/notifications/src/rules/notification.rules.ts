/** Why a user is notified of a message, in the order in which reasons are looked for. */
export type Trigger =
  | 'direct_message'
  | 'mentioned'
  | 'topic_wildcard_mentioned_in_followed_topic'
  | 'stream_wildcard_mentioned_in_followed_topic'
  | 'topic_wildcard_mentioned'
  | 'stream_wildcard_mentioned'
  | 'followed_topic'
  | 'stream';

/** A user's settings that notifications depend on. Those of the channel have taken the place of general ones. */
export interface NotificationSettings {
  /** `enable_offline_push_notifications` */
  readonly offlinePush: boolean;
  /** `enable_online_push_notifications` */
  readonly onlinePush: boolean;
  /** `enable_offline_email_notifications` */
  readonly offlineMail: boolean;
  /** `wildcard_mentions_notify` */
  readonly wildcards: boolean;
  /** `enable_followed_topic_wildcard_mentions_notify` */
  readonly followedWildcards: boolean;
  /** `enable_followed_topic_push_notifications` */
  readonly followedPush: boolean;
  /** `enable_followed_topic_email_notifications` */
  readonly followedMail: boolean;
  /** `push_notifications` of the channel, else `enable_stream_push_notifications` */
  readonly channelPush: boolean;
  /** `email_notifications` of the channel, else `enable_stream_email_notifications` */
  readonly channelMail: boolean;
}

/** A message in relation to one user, who has received it and not read it. */
export interface Reception {
  readonly isSender: boolean;
  readonly isBot: boolean;
  readonly isDirect: boolean;
  /** By name or through a group. */
  readonly isMentioned: boolean;
  /** A participant of a topic whom a wildcard for them reaches. */
  readonly isTopicWildcard: boolean;
  readonly isChannelWildcard: boolean;
  /** As the user sees the topic: by their policy for it, or that of the channel. */
  readonly topic: 'muted' | 'visible' | 'followed';
  /** Active in the last minutes. */
  readonly isOnline: boolean;
  readonly settings: NotificationSettings;
}

/** How a user is notified of a message; undefined for not at all. */
export interface Notified {
  readonly push: Trigger | undefined;
  readonly mail: Trigger | undefined;
}

const NOT_AT_ALL: Notified = { push: undefined, mail: undefined };

/**
 * Decides how a user is notified of a message. Direct messages and mentions by name notify also in muted topics and
 * channels; everything else does not. Mail is for people who are away.
 */
export function notified(reception: Reception): Notified {
  const { isSender, isBot, isOnline, settings } = reception;
  if (isSender || isBot) return NOT_AT_ALL;
  const { offlinePush, onlinePush, followedPush, channelPush, offlineMail, followedMail, channelMail } = settings;
  const isPushed = !isOnline || onlinePush;
  return {
    push: isPushed ? triggerOf(reception, offlinePush, followedPush, channelPush) : undefined,
    mail: isOnline ? undefined : triggerOf(reception, offlineMail, followedMail, channelMail),
  };
}

/**
 * @param addressed whether messages that are addressed to the user notify by this medium
 * @param followed whether messages of followed topics do
 * @param inChannel whether messages of the channel do
 */
function triggerOf(
  reception: Reception,
  addressed: boolean,
  followed: boolean,
  inChannel: boolean,
): Trigger | undefined {
  const { isDirect, topic } = reception;
  if (addressed) {
    const trigger = addressedBy(reception);
    if (trigger !== undefined) return trigger;
  }
  if (isDirect || topic === 'muted') return undefined;
  if (topic === 'followed' && followed) return 'followed_topic';
  return inChannel ? 'stream' : undefined;
}

function addressedBy(reception: Reception): Trigger | undefined {
  const { isDirect, isMentioned, isTopicWildcard, isChannelWildcard, topic, settings } = reception;
  if (isDirect) return 'direct_message';
  if (isMentioned) return 'mentioned';
  if (topic === 'followed' && settings.followedWildcards) {
    if (isTopicWildcard) return 'topic_wildcard_mentioned_in_followed_topic';
    if (isChannelWildcard) return 'stream_wildcard_mentioned_in_followed_topic';
  }
  if (topic === 'muted' || !settings.wildcards) return undefined;
  if (isTopicWildcard) return 'topic_wildcard_mentioned';
  return isChannelWildcard ? 'stream_wildcard_mentioned' : undefined;
}

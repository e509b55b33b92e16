import { Injectable } from '@nestjs/common';
import { Clock, nextSlice } from '#kernel';
import type { MessageSent } from '#messages';
import { isTopicMuted, TOPIC_POLICY, preferencesPart } from '#preferences/model';
import { WaitingMessages } from '#reading';
import { Directory } from '#people';
import { SERVER_CONSTANTS } from '#realm/model';
import type { User } from '#users/model';
import { Presences } from '#presence';
import { PushService } from '#push';
import { DevicesReader } from '../devices/devices.reader.js';
import { registeredDevices } from '../push/push-sender.js';
import type { InterestIndex } from '../rules/interest-index.js';
import { type NotificationSettings, notified, type Reception, type Trigger } from '../rules/notification.rules.js';
import { MailBatches } from './mail-batches.js';

type Sent = MessageSent['data'];
interface Recipient {
  readonly userId: number;
  readonly trigger: Trigger;
}

/** Users judged in one turn of the event loop: a few milliseconds of work. */
const USERS_AT_ONCE = 500;
/** Users who are notified of one message. A wildcard that reaches more is restricted in any sensible organization. */
const NOTIFIED_MAX = 20_000;

/** Finds out whom a new message notifies, and how. */
@Injectable()
export class Recipients {
  constructor(
    private readonly directory: Directory,
    private readonly presences: Presences,
    private readonly waiting: WaitingMessages,
    private readonly devices: DevicesReader,
    private readonly push: PushService,
    private readonly batches: MailBatches,
    private readonly clock: Clock,
  ) {}

  /** By mail also those who have read the message since: what they have read is left out when the mail is composed. */
  async of(
    messageId: number,
    sent: Sent,
    interests: InterestIndex,
  ): Promise<{ readonly push: readonly Recipient[]; readonly mail: readonly number[] }> {
    const reached = this.#reached(sent, interests);
    if (reached.size === 0) return NOBODY;
    const push = new Map<number, Trigger>();
    const mail = new Set<number>();
    const now = this.clock.nowSeconds();
    for (const [index, userId] of [...reached].slice(0, NOTIFIED_MAX).entries()) {
      if (index > 0 && index % USERS_AT_ONCE === 0) await nextSlice();
      const user = this.directory.user(userId);
      if (user?.isActive !== true) continue;
      const how = notified(this.#receptionOf(user, sent));
      if (how.push !== undefined && this.push.isConfigured) push.set(userId, how.push);
      if (how.mail !== undefined && this.batches.hasRoom(userId, now)) mail.add(userId);
    }
    return { push: await this.#waitingWithDevices(messageId, push), mail: [...mail] };
  }

  async #waitingWithDevices(messageId: number, triggers: ReadonlyMap<number, Trigger>): Promise<readonly Recipient[]> {
    const withDevices = await this.#withDevices([...triggers.keys()]);
    if (withDevices.length === 0) return [];
    const userIds = (await this.waiting.waitingFor(messageId, withDevices))?.userIds ?? [];
    return userIds.flatMap((userId) => {
      const trigger = triggers.get(userId);
      return trigger === undefined ? [] : [{ userId, trigger }];
    });
  }

  /** Users whom the message could notify, without those who merely receive it. */
  #reached({ senderId, channelId, topic = '', to, ...sent }: Sent, interests: InterestIndex): Set<number> {
    const { mentions = [], topicParticipants = [], channelWildcard } = sent;
    // Nobody who has an account since a moment ago, or has just asked the welcome bot, is to be told so elsewhere.
    if (this.directory.user(senderId)?.systemBot === 'welcome') return new Set();
    const reached = new Set<number>(to ?? [...mentions, ...topicParticipants]);
    if (channelId !== undefined) {
      for (const userId of interests.of(channelId, topic)) reached.add(userId);
      if (channelWildcard === true) for (const userId of this.directory.subscriberIds(channelId)) reached.add(userId);
    }
    reached.delete(senderId);
    return reached;
  }

  #receptionOf(user: User, sent: Sent): Reception {
    const { userId, botType } = user;
    const { senderId, channelId, topic = '', mentions, topicParticipants, channelWildcard } = sent;
    return {
      isSender: userId === senderId,
      isBot: botType !== null,
      isDirect: channelId === undefined,
      isMentioned: mentions?.includes(userId) === true,
      isTopicWildcard: topicParticipants?.includes(userId) === true,
      isChannelWildcard: channelWildcard === true,
      topic: channelId === undefined ? 'visible' : this.#visibility(userId, channelId, topic),
      isOnline: this.#isOnline(user),
      settings: this.#settingsOf(userId, channelId),
    };
  }

  #visibility(userId: number, channelId: number, topic: string): Reception['topic'] {
    const preferences = this.directory.of(preferencesPart);
    if (preferences.topicPolicy(userId, channelId, topic) === TOPIC_POLICY.followed) return 'followed';
    return isTopicMuted(this.directory, userId, channelId, topic) ? 'muted' : 'visible';
  }

  /** Users who do not share their presence count as away. */
  #isOnline(user: User): boolean {
    const presence = this.directory.settings.presence_disabled ? undefined : this.presences.of(user);
    const since = this.clock.nowSeconds() - SERVER_CONSTANTS.server_presence_offline_threshold_seconds;
    return presence !== undefined && presence.activeAt > since;
  }

  #settingsOf(userId: number, channelId: number | undefined): NotificationSettings {
    const own = this.directory.of(preferencesPart).settings(userId);
    const subscription = channelId === undefined ? undefined : this.directory.subscription(userId, channelId);
    return {
      offlinePush: own.enable_offline_push_notifications,
      onlinePush: own.enable_online_push_notifications,
      offlineMail: own.enable_offline_email_notifications,
      wildcards: subscription?.wildcardMentionsNotify ?? own.wildcard_mentions_notify,
      followedWildcards: own.enable_followed_topic_wildcard_mentions_notify,
      followedPush: own.enable_followed_topic_push_notifications,
      followedMail: own.enable_followed_topic_email_notifications,
      channelPush: subscription?.pushNotifications ?? own.enable_stream_push_notifications,
      channelMail: subscription?.emailNotifications ?? own.enable_stream_email_notifications,
    };
  }

  async #withDevices(userIds: readonly number[]): Promise<readonly number[]> {
    if (userIds.length === 0) return [];
    const found = await this.devices.ofAll(userIds);
    return found
      .filter((one) => one.tokens.length > 0 || registeredDevices(one).length > 0)
      .map(({ userId }) => userId);
  }
}

const NOBODY = { push: [], mail: [] } as const;

import type { Handlers, LogPoint } from '../directory/directory-part.js';
import type { ActivityChanged } from '../users/user.events.js';
import { coversMessage, coversPosition } from './subscription-spans.js';
import { SUBSCRIPTION_SETTINGS, type SubscriptionSetting } from './subscription-settings.js';
import type { SubscriptionEvent } from './subscription.events.js';
import type { Subscription, SubscriptionSpan } from './subscription.js';

/** Current and former subscriptions; a part of the directory. Records are replaced, never mutated. */
export class SubscriptionBook {
  /** By channel, then by user; inactive subscriptions included. */
  readonly #byChannel = new Map<number, Map<number, Subscription>>();
  /** By user, then by channel. */
  readonly #byUser = new Map<number, Map<number, Subscription>>();
  readonly #counts = new Map<number, number>();

  readonly on: Handlers<SubscriptionEvent | ActivityChanged> = {
    'channel.subscribed.v1': ({ data: { channelId, subscribers } }, at) => {
      const spans = openedAt(at);
      for (const { userId, color } of subscribers) this.#subscribe(channelId, userId, color, spans);
    },
    'channels.subscribed.v1': ({ data: { channels, userIds } }, at) => {
      const spans = openedAt(at);
      for (const { channelId, colors } of channels)
        for (const [index, userId] of userIds.entries()) this.#subscribe(channelId, userId, colors[index] ?? '', spans);
    },
    'channels.unsubscribed.v1': ({ data: { channelIds, userIds } }, at) => {
      for (const channelId of channelIds) for (const userId of userIds) this.#unsubscribe(channelId, userId, at);
    },
    'channel.unsubscribed.v1': ({ data: { channelId, userIds } }, at) => {
      for (const userId of userIds) this.#unsubscribe(channelId, userId, at);
    },
    'subscription.settings-changed.v1': ({ data: { userId, changes } }) => {
      for (const { channelId, setting, value } of changes) {
        const field = SUBSCRIPTION_SETTINGS[setting as SubscriptionSetting];
        this.#put({ ...this.#existing(userId, channelId), [field]: value });
      }
    },
    'user.deactivated.v1': ({ data: { userId } }, at) => {
      for (const { channelId, active } of [...this.ofUser(userId)]) {
        if (!active) continue;
        this.#unsubscribe(channelId, userId, at);
        this.#put({ ...this.#existing(userId, channelId), paused: true });
      }
    },
    'user.reactivated.v1': ({ data: { userId } }, at) => {
      for (const { channelId, color, paused } of [...this.ofUser(userId)]) {
        if (paused === true) this.#subscribe(channelId, userId, color, openedAt(at));
      }
    },
  };

  get(userId: number, channelId: number): Subscription | undefined {
    return this.#byUser.get(userId)?.get(channelId);
  }

  isActive(userId: number, channelId: number): boolean {
    return this.#byUser.get(userId)?.get(channelId)?.active === true;
  }

  ofUser(userId: number): Iterable<Subscription> {
    return this.#byUser.get(userId)?.values() ?? [];
  }

  subscriberIds(channelId: number): number[] {
    const ids: number[] = [];
    for (const subscription of this.#byChannel.get(channelId)?.values() ?? []) {
      if (subscription.active) ids.push(subscription.userId);
    }
    return ids.sort((a, b) => a - b);
  }

  subscriberIdsAt(channelId: number, position: number): number[] {
    const ids: number[] = [];
    for (const { userId, spans } of this.#byChannel.get(channelId)?.values() ?? []) {
      if (coversPosition(spans, position)) ids.push(userId);
    }
    return ids.sort((a, b) => a - b);
  }

  subscriberCount(channelId: number): number {
    return this.#counts.get(channelId) ?? 0;
  }

  wasActiveAt(userId: number, channelId: number, position: number): boolean {
    return coversPosition(this.get(userId, channelId)?.spans ?? [], position);
  }

  wasActiveForMessage(userId: number, channelId: number, messageId: number): boolean {
    return coversMessage(this.get(userId, channelId)?.spans ?? [], messageId);
  }

  snapshot(): readonly Subscription[] {
    return [...this.#byChannel.values()].flatMap((byUser) => [...byUser.values()]);
  }

  /** Fills an empty book. */
  restore(subscriptions: readonly Subscription[]): void {
    for (const subscription of subscriptions) this.#put(subscription);
  }

  #put(subscription: Subscription): void {
    const { userId, channelId, active } = subscription;
    const byChannel = entryOf(this.#byUser, userId);
    const wasActive = byChannel.get(channelId)?.active === true;
    byChannel.set(channelId, subscription);
    entryOf(this.#byChannel, channelId).set(userId, subscription);
    if (active !== wasActive) this.#counts.set(channelId, this.subscriberCount(channelId) + (active ? 1 : -1));
  }

  #existing(userId: number, channelId: number): Subscription {
    const subscription = this.get(userId, channelId);
    if (subscription === undefined) throw new Error(`User ${userId} was never subscribed to channel ${channelId}.`);
    return subscription;
  }

  /** @param spans shared by all users of the event: a request may subscribe thousands */
  #subscribe(channelId: number, userId: number, color: string, spans: readonly SubscriptionSpan[]): void {
    const before = this.get(userId, channelId);
    if (before?.active === true) return;
    this.#put(
      before === undefined
        ? newSubscription(channelId, userId, color, spans)
        : { ...before, active: true, paused: false, spans: [...before.spans, ...spans] },
    );
  }

  #unsubscribe(channelId: number, userId: number, { position, lastMessageId }: LogPoint): void {
    const before = this.get(userId, channelId);
    if (before?.active !== true) return;
    const spans = before.spans.map((span) =>
      span.untilId === null ? { ...span, untilId: lastMessageId, untilPosition: position } : span,
    );
    this.#put({ ...before, active: false, spans });
  }
}

function entryOf<Inner>(map: Map<number, Map<number, Inner>>, id: number): Map<number, Inner> {
  let inner = map.get(id);
  if (inner === undefined) map.set(id, (inner = new Map<number, Inner>()));
  return inner;
}

/** The spans of a subscription that begins at this point. */
function openedAt({ position, lastMessageId }: LogPoint): readonly SubscriptionSpan[] {
  return [{ fromId: lastMessageId + 1, untilId: null, fromPosition: position, untilPosition: null }];
}

/** A literal, which costs a tenth of copying defaults. */
function newSubscription(
  channelId: number,
  userId: number,
  color: string,
  spans: readonly SubscriptionSpan[],
): Subscription {
  return {
    channelId,
    userId,
    active: true,
    color,
    isMuted: false,
    pinToTop: false,
    desktopNotifications: null,
    audibleNotifications: null,
    pushNotifications: null,
    emailNotifications: null,
    wildcardMentionsNotify: null,
    spans,
  };
}

import type { Handlers, LogPoint } from '#directory';
import type { ActivityChanged } from '#users/model';
import { coversMessage, coversPosition } from './subscription-spans.js';
import { SUBSCRIPTION_SETTINGS, type SubscriptionSetting } from './subscription-settings.js';
import type { SubscriptionEvent } from './subscription.events.js';
import { newSubscription, type Subscription, type SubscriptionSpan } from './subscription.js';

/** Current and former subscriptions; a part of the directory. Records are replaced, never mutated. */
export class SubscriptionBook {
  /** By channel, then by user; inactive subscriptions included. */
  readonly #byChannel = new Map<number, Map<number, Subscription>>();
  /** By user, then by channel. */
  readonly #byUser = new Map<number, Map<number, Subscription>>();
  readonly #counts = new Map<number, number>();
  /** By channel, built when asked for and dropped when they change: 8 bytes a subscriber beside their subscription. */
  readonly #lists = new Map<number, SubscriberLists>();

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
        this.#unsubscribe(channelId, userId, at, { paused: true });
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

  /** Ascending; the same list until the channel's subscribers change. */
  subscriberIds(channelId: number): readonly number[] {
    return this.#listsOf(channelId).active;
  }

  /** Those whom a deactivation has paused are among them. Ascending. */
  heldSubscriberIds(channelId: number): readonly number[] {
    return this.#listsOf(channelId).held;
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
  restore(subscriptions: readonly Subscription[] = []): void {
    let channelId: number | undefined;
    let byUser = new Map<number, Subscription>();
    let count = 0;
    // Those of a channel follow each other, and a large organization has hundreds of thousands.
    const close = (): void => {
      if (channelId !== undefined) this.#counts.set(channelId, this.subscriberCount(channelId) + count);
      count = 0;
    };
    for (const subscription of subscriptions) {
      if (subscription.channelId !== channelId) {
        close();
        ({ channelId } = subscription);
        byUser = entryOf(this.#byChannel, channelId);
      }
      byUser.set(subscription.userId, subscription);
      entryOf(this.#byUser, subscription.userId).set(channelId, subscription);
      if (subscription.active) count++;
    }
    close();
  }

  #put(subscription: Subscription): void {
    const { userId, channelId, active, paused } = subscription;
    const byChannel = entryOf(this.#byUser, userId);
    const before = byChannel.get(channelId);
    const wasActive = before?.active === true;
    byChannel.set(channelId, subscription);
    entryOf(this.#byChannel, channelId).set(userId, subscription);
    if (active !== wasActive || (paused === true) !== (before?.paused === true)) this.#lists.delete(channelId);
    if (active !== wasActive) this.#counts.set(channelId, this.subscriberCount(channelId) + (active ? 1 : -1));
  }

  #listsOf(channelId: number): SubscriberLists {
    let lists = this.#lists.get(channelId);
    if (lists === undefined) {
      const subscriptions = this.#byChannel.get(channelId);
      // Unknown channels are not cached, since there are unlimited unknown ids.
      if (subscriptions === undefined) return NO_SUBSCRIBERS;
      this.#lists.set(channelId, (lists = listsOf(subscriptions.values())));
    }
    return lists;
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

  #unsubscribe(
    channelId: number,
    userId: number,
    { position, lastMessageId }: LogPoint,
    how: Pick<SubscriptionSpan, 'paused'> = {},
  ): void {
    const before = this.get(userId, channelId);
    if (before?.active !== true) return;
    const spans = before.spans.map((span) =>
      span.untilId === null ? { ...span, untilId: lastMessageId, untilPosition: position, ...how } : span,
    );
    this.#put({ ...before, active: false, spans });
  }
}

interface SubscriberLists {
  readonly active: readonly number[];
  readonly held: readonly number[];
}

const NO_SUBSCRIBERS: SubscriberLists = { active: [], held: [] };

function listsOf(subscriptions: Iterable<Subscription>): SubscriberLists {
  const active: number[] = [];
  const paused: number[] = [];
  for (const subscription of subscriptions) {
    if (subscription.active) active.push(subscription.userId);
    else if (subscription.paused === true) paused.push(subscription.userId);
  }
  active.sort((a, b) => a - b);
  return { active, held: paused.length === 0 ? active : [...active, ...paused].sort((a, b) => a - b) };
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

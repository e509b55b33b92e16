import { newSubscription, type Subscription, type SubscriptionSpan } from './subscription.js';

/** What differs from a new subscription, in few records. */
type Rest = Omit<Subscription, 'channelId' | 'userId' | 'color' | 'spans'>;

/**
 * Subscriptions as plain JSON in a tenth of their length: an organization has hundreds of thousands, most of them as they
 * began, and those of one event share their spans.
 */
export interface PackedSubscriptions {
  /** Channels, each with its number of subscriptions that follow each other. */
  readonly channels: readonly (readonly [channelId: number, count: number])[];
  readonly userIds: readonly number[];
  readonly colors: readonly string[];
  readonly spans: readonly (readonly SubscriptionSpan[])[];
  /** Of each subscription: its index in `colors` and in `spans`. */
  readonly colorOf: readonly number[];
  readonly spansOf: readonly number[];
  /** By index of the subscription. */
  readonly others: readonly (readonly [index: number, rest: Rest])[];
}

const {
  channelId: _channelId,
  userId: _userId,
  color: _color,
  spans: _spans,
  ...AS_IT_BEGAN
} = newSubscription(0, 0, '', []);
const SETTINGS = Object.entries(AS_IT_BEGAN) as [keyof Rest, boolean | null][];

export function packSubscriptions(subscriptions: readonly Subscription[]): PackedSubscriptions {
  const channels: [number, number][] = [];
  const colors = new Indexed<string>();
  const spans = new Indexed<readonly SubscriptionSpan[]>(JSON.stringify);
  const others: [number, Rest][] = [];
  for (const [index, subscription] of subscriptions.entries()) {
    const { channelId, userId: _u, color: _c, spans: _s, ...rest } = subscription;
    const channel = channels.at(-1);
    if (channel?.[0] === channelId) channel[1]++;
    else channels.push([channelId, 1]);
    // One with a field more differs, whatever it says.
    const isAsItBegan =
      Object.keys(rest).length === SETTINGS.length && SETTINGS.every(([name, value]) => rest[name] === value);
    if (!isAsItBegan) others.push([index, rest]);
  }
  return {
    channels,
    userIds: subscriptions.map(({ userId }) => userId),
    colorOf: subscriptions.map(({ color }) => colors.indexOf(color)),
    spansOf: subscriptions.map((subscription) => spans.indexOf(subscription.spans)),
    colors: colors.values,
    spans: spans.values,
    others,
  };
}

export function unpackSubscriptions(packed: PackedSubscriptions): Subscription[] {
  const { channels, userIds, colors, spans, colorOf, spansOf, others } = packed;
  const subscriptions: Subscription[] = [];
  for (const [channelId, count] of channels) {
    const end = subscriptions.length + count;
    for (let index = subscriptions.length; index < end; index++)
      subscriptions.push(
        newSubscription(channelId, at(userIds, index), at(colors, at(colorOf, index)), at(spans, at(spansOf, index))),
      );
  }
  for (const [index, rest] of others) subscriptions[index] = { ...at(subscriptions, index), ...rest };
  return subscriptions;
}

/** Different values, numbered. */
class Indexed<Value> {
  readonly values: Value[] = [];
  readonly #indexes = new Map<unknown, number>();

  constructor(private readonly keyOf: (value: Value) => unknown = (value) => value) {}

  indexOf(value: Value): number {
    const key = this.keyOf(value);
    let index = this.#indexes.get(key);
    if (index === undefined) this.#indexes.set(key, (index = this.values.push(value) - 1));
    return index;
  }
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new Error('The packed subscriptions are not whole.');
  return item;
}

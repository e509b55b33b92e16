/**
 * Who could read a channel or a message, and why (rules.md §4): the conditions of access as facts, in the order in which they decide. A
 * test compares the outcome with what the product lets people read.
 */
export interface ReadingFacts {
  /** The account existed and was active. */
  readonly is_active: boolean;
  readonly is_subscribed: boolean;
  readonly is_guest: boolean;
  readonly channel_is_web_public: boolean;
  readonly channel_is_private: boolean;
  readonly holds_can_add_subscribers_group: boolean;
  readonly holds_can_subscribe_group: boolean;
  /** Subscribers read what was written before they came. */
  readonly channel_shares_history: boolean;
  /** Subscribed when the message came to the channel; true for a channel as a whole. */
  readonly was_there: boolean;
}

export type ReadingRule =
  | 'account_inactive'
  | 'subscribed'
  | 'web_public'
  | 'guest_not_subscribed'
  | 'public'
  | 'can_add_subscribers_group'
  | 'can_subscribe_group'
  | 'private_not_subscribed'
  | 'history_before_subscription';

export interface Reading {
  readonly canRead: boolean;
  /** The condition that decided. */
  readonly rule: ReadingRule;
}

const yes = (rule: ReadingRule): Reading => ({ canRead: true, rule });
const no = (rule: ReadingRule): Reading => ({ canRead: false, rule });

export function readingBy(facts: ReadingFacts): Reading {
  if (!facts.is_active) return no('account_inactive');
  const ofChannel = ofChannelBy(facts);
  if (!ofChannel.canRead) return ofChannel;
  if (!facts.channel_is_private || facts.channel_shares_history || facts.was_there) return ofChannel;
  return no('history_before_subscription');
}

function ofChannelBy(facts: ReadingFacts): Reading {
  if (facts.is_subscribed) return yes('subscribed');
  if (facts.channel_is_web_public) return yes('web_public');
  if (facts.is_guest) return no('guest_not_subscribed');
  if (!facts.channel_is_private) return yes('public');
  if (facts.holds_can_add_subscribers_group) return yes('can_add_subscribers_group');
  if (facts.holds_can_subscribe_group) return yes('can_subscribe_group');
  return no('private_not_subscribed');
}

/** The facts of which each alone, if it were otherwise, would turn the outcome, with the value that would. */
export function turning(facts: ReadingFacts): Partial<ReadingFacts> {
  const { canRead } = readingBy(facts);
  const names = Object.keys(facts) as (keyof ReadingFacts)[];
  return Object.fromEntries(
    names
      .map((name) => [name, !facts[name]] as const)
      .filter(([name, value]) => readingBy({ ...facts, [name]: value }).canRead !== canRead),
  );
}

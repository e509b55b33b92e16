import { isDeletion, type NaiveMessages } from './messages.js';
import { type ExpectedRow, isOf, type RawEvent, type RawLog, type Until } from './raw-log.js';
import { type NaiveState, stateAfter } from './state.js';

interface Facts {
  readonly is_active: boolean;
  readonly is_subscribed: boolean;
  readonly is_guest: boolean;
  readonly channel_is_web_public: boolean;
  readonly channel_is_private: boolean;
  readonly holds_can_add_subscribers_group: boolean;
  readonly holds_can_subscribe_group: boolean;
  readonly channel_shares_history: boolean;
  readonly was_there: boolean;
}

/** Who may read, as people are told it. */
const mayRead = (one: Facts): boolean =>
  one.is_active &&
  (one.is_subscribed ||
    one.channel_is_web_public ||
    (!one.is_guest &&
      (!one.channel_is_private || one.holds_can_add_subscribers_group || one.holds_can_subscribe_group))) &&
  (!one.channel_is_private || one.channel_shares_history || one.was_there);

function ruleOf(one: Facts): string {
  if (!one.is_active) return 'account_inactive';
  const comesIn = mayRead({ ...one, was_there: true });
  if (comesIn && !mayRead(one)) return 'history_before_subscription';
  if (one.is_subscribed) return 'subscribed';
  if (one.channel_is_web_public) return 'web_public';
  if (one.is_guest) return 'guest_not_subscribed';
  if (!comesIn) return 'private_not_subscribed';
  if (!one.channel_is_private) return 'public';
  return one.holds_can_add_subscribers_group ? 'can_add_subscribers_group' : 'can_subscribe_group';
}

function wouldChange(facts: Facts): object {
  const flipped = Object.entries(facts).map(([name, is]: [string, boolean]) => [name, !is] as const);
  return Object.fromEntries(flipped.filter(([name, value]) => mayRead({ ...facts, [name]: value }) !== mayRead(facts)));
}

/** Who could read what, by going through the whole log for each question. */
export class NaiveAccess {
  constructor(
    private readonly log: RawLog,
    private readonly messages: NaiveMessages,
  ) {}

  ofChannel(channelId: number, user: number | undefined, until?: Until): ExpectedRow[] {
    return this.#inChannel(channelId, user, until, undefined);
  }

  ofMessage(id: number, user: number | undefined, until?: Until): ExpectedRow[] {
    const { log } = this;
    const found = this.messages.standing(id, until);
    const gone = log.upTo(until).find((event) => isDeletion(event) && isOf(event, id));
    if (gone !== undefined) return [log.row(gone, 'no_reader', { message_id: id, rule: 'deleted' })];
    if (found === undefined) return [];
    const { place, arrival } = found;
    if (place.to === undefined) return this.#inChannel(place.channelId, user, until, { id, arrival });
    const { users } = stateAfter(log.upTo(until));
    return (user === undefined ? place.to : [user]).flatMap((userId: number): ExpectedRow[] => {
      const isActive = users.get(userId)?.isActive === true;
      const isIn = place.to.includes(userId);
      if (user === undefined && !isActive) return [];
      return [
        log.row(arrival, 'access', {
          message_id: id,
          place: log.place(place),
          user: log.user(userId),
          can_read: isActive && isIn,
          rule: !isActive ? 'account_inactive' : isIn ? 'participant' : 'no_participant',
          would_change: isIn ? { is_active: !isActive } : {},
        }),
      ];
    });
  }

  couldRead(userId: number, until?: Until): ExpectedRow[] {
    const state = stateAfter(this.log.upTo(until));
    if (!state.users.has(userId)) return [];
    return [...state.channels.keys()].flatMap((channelId) => {
      const row = this.#judged(state, channelId, userId, until, undefined);
      return row['can_read'] === true ? [row] : [];
    });
  }

  #inChannel(
    channelId: number,
    user: number | undefined,
    until: Until | undefined,
    message: { readonly id: number; readonly arrival: RawEvent } | undefined,
  ): ExpectedRow[] {
    const state = stateAfter(this.log.upTo(until));
    const channel = state.channels.get(channelId);
    if (channel === undefined) return [];
    if (user !== undefined) return state.users.has(user) ? [this.#judged(state, channelId, user, until, message)] : [];
    const rows = [...state.users.keys()]
      .map((userId) => this.#judged(state, channelId, userId, until, message))
      .filter((row) => row['can_read'] === true);
    if (!state.spectators || channel['isWebPublic'] !== true || channel['isArchived'] === true) return rows;
    const named = { channel_id: channelId, channel: channel['name'], message_id: message?.id };
    const last = this.#last(channelId, until);
    return [this.log.row(last, 'spectators', { ...named, can_read: true, rule: 'web_public' }), ...rows];
  }

  #judged(
    state: NaiveState,
    channelId: number,
    userId: number,
    until: Until | undefined,
    message: { readonly id: number; readonly arrival: RawEvent } | undefined,
  ): ExpectedRow {
    const channel = state.channels.get(channelId) as any;
    const { isActive, role } = state.users.get(userId);
    const holds = (name: string): boolean => isActive && state.holds(userId, channel.permissions[name]);
    const facts = {
      is_active: isActive,
      is_subscribed: state.isSubscribed(userId, channelId),
      is_guest: role >= 600,
      channel_is_web_public: channel.isWebPublic,
      channel_is_private: channel.inviteOnly,
      holds_can_add_subscribers_group: holds('can_add_subscribers_group'),
      holds_can_subscribe_group: holds('can_subscribe_group'),
      channel_shares_history: !channel.inviteOnly || channel.historyPublicToSubscribers,
      was_there:
        message === undefined || this.messages.stateAt(message.arrival.position).isSubscribed(userId, channelId),
    };
    const rule = ruleOf(facts);
    const since = rule === 'subscribed' ? state.subscribed.get(`${userId} ${channelId}`) : undefined;
    return this.log.row(since ?? this.#last(channelId, until), 'access', {
      channel_id: channelId,
      channel: channel.name,
      message_id: message?.id,
      user: this.log.user(userId),
      can_read: mayRead(facts),
      rule,
      facts,
      would_change: wouldChange(facts),
    });
  }

  /** The last event about a channel. */
  #last(channelId: number, until: Until | undefined): RawEvent {
    return this.log.upTo(until).findLast(({ type, data }) => {
      const channels = data.channels?.map((one: any) => one.channelId) ?? data.channelIds ?? [data.channelId];
      return /^channels?\./.test(type) && channels.includes(channelId);
    }) as RawEvent;
  }
}

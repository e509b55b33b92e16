import type {
  ChannelSubscribed,
  ChannelsSubscribed,
  ChannelsUnsubscribed,
  ChannelUnsubscribed,
} from './subscription.events.js';

/** Bounds an event, and the client events of it: an event of so many pairs has some 100 kB. */
const PAIRS_PER_EVENT_MAX = 10_000;
const CHANNELS_PER_EVENT_MAX = 200;

/**
 * The events of one request, with those for the same users as one: clients are told of all these channels together. Other
 * events come first, as they were.
 */
export function subscribedTogether<Other extends { readonly type: string }>(
  events: readonly (Other | ChannelSubscribed)[],
): (Other | ChannelSubscribed | ChannelsSubscribed)[] {
  const others = events.filter((event): event is Other => event.type !== 'channel.subscribed.v1');
  const joined = events.filter((event): event is ChannelSubscribed => event.type === 'channel.subscribed.v1');
  const groups = groupsOf(joined, ({ data }) => data.subscribers.map(({ userId }) => userId));
  return [...others, ...groups.map(({ userIds, events }) => joinedTogether(userIds, events))];
}

/** As `subscribedTogether`, for users who leave. */
export function unsubscribedTogether(
  events: readonly ChannelUnsubscribed[],
): (ChannelUnsubscribed | ChannelsUnsubscribed)[] {
  return groupsOf(events, ({ data }) => data.userIds).map(({ userIds, events: left }) => {
    const [first, ...rest] = left;
    if (rest.length === 0) return first;
    const { by, at } = first.data;
    const channelIds = left.map(({ data }) => data.channelId);
    return { type: 'channels.unsubscribed.v1', data: { channelIds, userIds: [...userIds], by, at } };
  });
}

interface Group<Event> {
  readonly userIds: readonly number[];
  readonly events: readonly [Event, ...Event[]];
}

function joinedTogether(
  userIds: readonly number[],
  events: Group<ChannelSubscribed>['events'],
): ChannelSubscribed | ChannelsSubscribed {
  const [first, ...rest] = events;
  if (rest.length === 0) return first;
  const { by, at } = first.data;
  const channels = events.map(({ data: { channelId, subscribers } }) => {
    return { channelId, colors: subscribers.map(({ color }) => color) };
  });
  return { type: 'channels.subscribed.v1', data: { channels, userIds: [...userIds], by, at } };
}

/** Events for the same users, as many as one event holds, in the order of the first of each. */
function groupsOf<Event>(events: readonly Event[], usersOf: (event: Event) => readonly number[]): Group<Event>[] {
  const groups: { readonly userIds: readonly number[]; readonly events: [Event, ...Event[]] }[] = [];
  const open = new Map<string, (typeof groups)[number]>();
  for (const event of events) {
    const userIds = usersOf(event);
    const key = userIds.join();
    const group = open.get(key);
    const max = Math.min(CHANNELS_PER_EVENT_MAX, Math.floor(PAIRS_PER_EVENT_MAX / userIds.length));
    if (group !== undefined && group.events.length < max) {
      group.events.push(event);
      continue;
    }
    const begun: (typeof groups)[number] = { userIds, events: [event] };
    groups.push(begun);
    open.set(key, begun);
  }
  return groups;
}

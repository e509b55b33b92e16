import type { Channel, Fields, UserGroup } from '../wire/types.js';
import type { IdMap } from './id-map.js';
import { union, without } from './ordered.js';
import { reducing, type Reducers } from './reducer.js';
import { ALL_LISTS, LISTS, type State, withField, withUnread } from './state.js';
import { recounted, removedChannel } from './unread.js';

type List = (typeof ALL_LISTS)[number];

interface StreamEvent {
  readonly streams?: readonly Channel[];
  readonly stream_ids?: readonly number[];
  readonly stream_id?: number;
  readonly property?: string;
  readonly value?: unknown;
  readonly name?: string;
}

interface SubscriptionEvent {
  readonly subscriptions?: readonly Channel[];
  readonly stream_id?: number;
  readonly property?: string;
  readonly value?: unknown;
  readonly stream_ids?: readonly number[];
  readonly user_ids?: readonly number[];
}

export const channelReducers = {
  stream: reducing<StreamEvent>((state, event) => {
    switch (event.op) {
      case 'create':
        return (event.streams ?? []).reduce(created, state);
      case 'delete':
        return (event.stream_ids ?? []).reduce(deleted, state);
      case 'update':
        return updated(state, event);
      default:
        return undefined;
    }
  }),

  subscription: reducing<SubscriptionEvent>((state, event) => {
    const {
      op,
      subscriptions = [],
      stream_id: channelId = 0,
      property = '',
      value,
      stream_ids = [],
      user_ids = [],
    } = event;
    switch (op) {
      case 'add':
        return subscriptions.reduce(subscribed, state);
      case 'remove':
        return subscriptions.reduce(unsubscribed, state);
      case 'update': {
        const channel = state.subscriptions?.get(channelId);
        // Muting changes the counts.
        const next = channel && put(state, 'subscriptions', { ...channel, [property]: value });
        return next === undefined ? state : withUnread(next, recounted);
      }
      case 'peer_add':
      case 'peer_remove':
        return stream_ids.reduce((next, id) => peers(next, id, user_ids, op === 'peer_add'), state);
      default:
        return undefined;
    }
  }),

  default_streams: reducing<{ default_streams: unknown }>((state, event) =>
    withField(state, 'realm_default_streams', event.default_streams),
  ),
  default_stream_groups: reducing<{ default_stream_groups: unknown }>((state, event) =>
    withField(state, 'realm_default_stream_groups', event.default_stream_groups),
  ),

  user_group: reducing<GroupEvent>((state, event) => {
    const { groups } = state;
    if (groups === undefined) return state;
    const next = changedGroups(groups, event);
    return next && { ...state, groups: next };
  }),
} satisfies Reducers;

function put(state: State, list: List, channel: Channel): State {
  return { ...state, [list]: state[list]?.set(channel.stream_id, channel) };
}

function takenOut(state: State, list: List, channelId: number): State {
  return state[list]?.has(channelId) === true ? { ...state, [list]: state[list].delete(channelId) } : state;
}

/** Changes the channel in every list that has it. */
export function everywhere(state: State, channelId: number, change: (channel: Channel) => Channel): State {
  let next = state;
  for (const list of ALL_LISTS) {
    const channel = next[list]?.get(channelId);
    const changed = channel && change(channel);
    if (changed !== undefined && changed !== channel) next = put(next, list, changed);
  }
  return next;
}

function created(state: State, channel: Channel): State {
  const listsSubscribers = LISTS.some((list) => {
    const [first] = state[list]?.values() ?? [];
    return first?.subscribers !== undefined;
  });
  const next = put(state, 'channels', channel);
  return put(next, 'neverSubscribed', listsSubscribers ? { ...channel, subscribers: [] } : channel);
}

function deleted(state: State, channelId: number): State {
  // These name the channel, so clients that do not know it do not receive them.
  const names = ALL_LISTS.map((list) => state[list]?.get(channelId)?.name);
  const forgotten = withMuted(state, (muted) => muted.filter(([name]) => !names.includes(name as string)));
  return read(
    ALL_LISTS.reduce((before, list) => takenOut(before, list, channelId), forgotten),
    channelId,
  );
}

/** With nothing unread in the channel. */
function read(state: State, channelId: number): State {
  return withUnread(state, (unread, places) => removedChannel(unread, channelId, places));
}

function updated(state: State, event: StreamEvent & Fields): State {
  const {
    stream_id: channelId = 0,
    property = '',
    value,
    type: _type,
    op: _op,
    id: _id,
    name: known,
    ...aside
  } = event;
  const next = everywhere(state, channelId, (channel) => ({ ...channel, ...aside, [property]: value }));
  // What is unread in an archived channel is not listed.
  if (property === 'is_archived' && value === true) return read(next, channelId);
  if (property !== 'name') return next;
  return withMuted(next, (muted) => muted.map(([name, ...rest]) => [name === known ? value : name, ...rest]));
}

type Muted = readonly (readonly unknown[])[];

function withMuted(state: State, change: (topics: Muted) => Muted): State {
  const muted = state.fields.muted_topics as Muted | undefined;
  return muted === undefined ? state : withField(state, 'muted_topics', change(muted));
}

function subscribed(state: State, added: Channel): State {
  const channelId = added.stream_id;
  const before = LISTS.map((list) => state[list]?.get(channelId)).find((channel) => channel !== undefined);
  const out = LISTS.reduce((next, list) => takenOut(next, list, channelId), state);
  const subscribers = added.subscribers ?? before?.subscribers;
  const channel = subscribers === undefined ? added : { ...added, subscribers };
  const next = put(out, 'subscriptions', peopled(channel, union, [state.self]));
  const stream = next.channels?.get(channelId);
  const { subscriber_count: count } = added;
  return stream === undefined || count === undefined
    ? next
    : put(next, 'channels', { ...stream, subscriber_count: count });
}

function unsubscribed(state: State, { stream_id: channelId }: Channel): State {
  const channel = state.subscriptions?.get(channelId);
  if (channel === undefined) return state;
  const left = peopled(channel, without, [state.self]);
  const moved = put(takenOut(state, 'subscriptions', channelId), 'unsubscribed', left);
  return read(
    everywhere(moved, channelId, (one) => counted(one, -1)),
    channelId,
  );
}

function peers(state: State, channelId: number, userIds: readonly number[], isAdded: boolean): State {
  return everywhere(state, channelId, (channel) => {
    const next = counted(channel, isAdded ? userIds.length : -userIds.length);
    return peopled(next, isAdded ? union : without, userIds);
  });
}

/** With other subscribers, where they are known. */
function peopled(channel: Channel, change: typeof union, userIds: readonly number[]): Channel {
  const { subscribers } = channel;
  return subscribers === undefined ? channel : { ...channel, subscribers: change(subscribers, userIds) };
}

function counted(channel: Channel, difference: number): Channel {
  const { subscriber_count: count } = channel;
  return count === undefined ? channel : { ...channel, subscriber_count: count + difference };
}

interface GroupEvent {
  readonly op?: string;
  readonly group?: UserGroup;
  readonly group_id?: number;
  readonly data?: Partial<UserGroup>;
  readonly user_ids?: readonly number[];
  readonly direct_subgroup_ids?: readonly number[];
}

function changedGroups(groups: IdMap<UserGroup>, event: GroupEvent): IdMap<UserGroup> | undefined {
  const { op, group: added, group_id: groupId = -1 } = event;
  if (op === 'add') return added === undefined ? groups : groups.set(added.id, added);
  if (op === 'remove') return groups.delete(groupId);
  const group = groups.get(groupId);
  if (group === undefined) return groups;
  const change = groupChange(group, event);
  return change && groups.set(groupId, { ...group, ...change });
}

function groupChange(
  { members, direct_subgroup_ids: inside }: UserGroup,
  { op, data = {}, user_ids: users = [], direct_subgroup_ids: inner = [] }: GroupEvent,
): Partial<UserGroup> | undefined {
  switch (op) {
    case 'update':
      return data;
    case 'add_members':
      return { members: union(members, users) };
    case 'remove_members':
      return { members: without(members, users) };
    case 'add_subgroups':
      return { direct_subgroup_ids: union(inside, inner) };
    case 'remove_subgroups':
      return { direct_subgroup_ids: without(inside, inner) };
    default:
      return undefined;
  }
}

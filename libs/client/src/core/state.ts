import type { RegisterState } from '../wire/types.generated.js';
import type {
  Channel,
  Fields,
  RecentDirect,
  Registered,
  UnreadMessages,
  User,
  UserGroup,
  UserTopic,
} from '../wire/types.js';
import { IdMap, type IdSet, idSet } from './id-map.js';
import { KeyMap } from './key-map.js';
import { byText } from './ordered.js';
import { type Place, type Places, type Unread, unreadOf, wireUnread } from './unread.js';

/** A topic setting, and its place in the list. */
export interface OrderedTopic {
  readonly order: number;
  readonly topic: UserTopic;
}

/**
 * What a client knows of the organization and the user: the answer of `POST /register`, changed by events. What was not
 * fetched is undefined. Immutable: a change makes another state, which shares all that did not change.
 */
export interface State {
  readonly self: number;
  readonly maxMessageId: number | undefined;
  readonly users: IdMap<User> | undefined;
  readonly formerUsers: IdMap<User> | undefined;
  readonly groups: IdMap<UserGroup> | undefined;
  readonly channels: IdMap<Channel> | undefined;
  readonly subscriptions: IdMap<Channel> | undefined;
  readonly unsubscribed: IdMap<Channel> | undefined;
  readonly neverSubscribed: IdMap<Channel> | undefined;
  readonly topics: KeyMap<OrderedTopic> | undefined;
  readonly unread: Unread | undefined;
  readonly starred: IdSet | undefined;
  /** The latest first. */
  readonly recentDirect: readonly RecentDirect[] | undefined;
  /** All other fields, by their names in the answer. */
  readonly fields: Fields & Readonly<Partial<RegisterState>>;
}

/** Lists of channels: one for each relation of the user to them, and one of all. */
export const LISTS = ['subscriptions', 'unsubscribed', 'neverSubscribed'] as const;
export const ALL_LISTS = [...LISTS, 'channels'] as const;

const NAMES = {
  channels: 'streams',
  subscriptions: 'subscriptions',
  unsubscribed: 'unsubscribed',
  neverSubscribed: 'never_subscribed',
} as const;

/** `visibility_policy` of a muted topic. */
const MUTED = 1;

export function stateOf(registered: Registered): State {
  const {
    max_message_id: maxMessageId,
    realm_users: users,
    realm_non_active_users: formerUsers,
    realm_user_groups: groups,
    streams: channels,
    subscriptions,
    unsubscribed,
    never_subscribed: neverSubscribed,
    user_topics: topics,
    unread_msgs: unread,
    starred_messages: starred,
    recent_private_conversations: recentDirect,
    ...fields
  } = registered as Registered & Known;
  const { user_id: self = 0 } = registered;
  return {
    self,
    maxMessageId,
    users: byId(users, 'user_id'),
    formerUsers: byId(formerUsers, 'user_id'),
    groups: byId(groups, 'id'),
    channels: byId(channels, 'stream_id'),
    subscriptions: byId(subscriptions, 'stream_id'),
    unsubscribed: byId(unsubscribed, 'stream_id'),
    neverSubscribed: byId(neverSubscribed, 'stream_id'),
    topics: topics?.reduce(
      (all, topic, order) => all.set(topicKey(topic.stream_id, topic.topic_name), { order, topic }),
      KeyMap.empty<OrderedTopic>(),
    ),
    unread: unread && unreadOf(unread, self),
    starred: starred && idSet(starred),
    recentDirect,
    fields,
  };
}

/** Fields of the answer that the state has in a form of its own. */
interface Known {
  readonly max_message_id?: number;
  readonly realm_users?: readonly User[];
  readonly realm_non_active_users?: readonly User[];
  readonly realm_user_groups?: readonly UserGroup[];
  readonly streams?: readonly Channel[];
  readonly subscriptions?: readonly Channel[];
  readonly unsubscribed?: readonly Channel[];
  readonly never_subscribed?: readonly Channel[];
  readonly user_topics?: readonly UserTopic[];
  readonly unread_msgs?: UnreadMessages;
  readonly starred_messages?: readonly number[];
  readonly recent_private_conversations?: readonly RecentDirect[];
}

function byId<T extends object>(list: readonly T[] | undefined, idName: keyof T): IdMap<T> | undefined {
  return list && IdMap.of(list.map((one) => [Number(one[idName]), one] as const));
}

/** The state in the form of the answer of `POST /register`. */
export function registeredOf(state: State): Registered {
  const { topics, unread, starred } = state;
  const lists = Object.entries(NAMES).map(([list, name]) => {
    const channels = state[list as keyof typeof NAMES];
    return [name, channels && [...channels.values()].sort((a, b) => byText(a.name, b.name))] as const;
  });
  const known: Fields = {
    max_message_id: state.maxMessageId,
    realm_users: state.users && [...state.users.values()],
    realm_non_active_users: state.formerUsers && [...state.formerUsers.values()],
    realm_user_groups: state.groups && [...state.groups.values()],
    ...Object.fromEntries(lists),
    user_topics:
      topics &&
      [...topics]
        .map(([, one]) => one)
        .sort((a, b) => a.order - b.order)
        .map(({ topic }) => topic),
    unread_msgs: unread && wireUnread(unread, state.self),
    starred_messages: starred && [...starred.keys()],
    recent_private_conversations: state.recentDirect,
  };
  const fetched = Object.entries(known).filter(([, value]) => value !== undefined);
  return { ...state.fields, ...Object.fromEntries(fetched) } as unknown as Registered;
}

/** Topics are the same in any case of letters. */
export function topicKey(channelId: number, topic: string): string {
  return `${channelId}:${topic.toLowerCase()}`;
}

export function placesOf({ subscriptions, topics }: State): Places {
  return {
    isMuted: (place: Place) => {
      if (!('channelId' in place)) return false;
      const own = topics?.get(topicKey(place.channelId, place.topic))?.topic;
      if (own !== undefined) return own.visibility_policy === MUTED;
      return subscriptions?.get(place.channelId)?.is_muted === true;
    },
    isSubscribed: (channelId) => {
      if (subscriptions === undefined) return true;
      const channel = subscriptions.get(channelId);
      return channel !== undefined && channel.is_archived !== true;
    },
  };
}

/** The state with a field changed, if it was fetched. */
export function withField(state: State, name: string, value: unknown): State {
  return name in state.fields ? { ...state, fields: { ...state.fields, [name]: value } } : state;
}

/** The state with these fields changed, those of them that were fetched. */
export function withFields(state: State, changed: Fields, prefix = ''): State {
  return Object.entries(changed).reduce((next, [name, value]) => withField(next, prefix + name, value), state);
}

/** The state with an entry of a field changed, if the field was fetched. */
export function withEntry(state: State, field: string, key: PropertyKey, value: unknown): State {
  return withField(state, field, { ...(state.fields[field] as Fields | undefined), [key]: value });
}

export function withUnread(state: State, change: (unread: Unread, places: Places) => Unread): State {
  if (state.unread === undefined) return state;
  const unread = change(state.unread, placesOf(state));
  return unread === state.unread ? state : { ...state, unread };
}

import {
  applyAll,
  IdMap,
  idSet,
  keyOf,
  KeyMap,
  type Place,
  placesOf,
  recounted,
  type Registered,
  registeredOf,
  type ServerEvent,
  stateOf,
  type Unread,
  type UnreadConversation,
  unreadOf,
} from '#client';

/** The answer of POST /register, as the suites look at it. */
export interface ClientState {
  [field: string]: any;
  user_id?: number;
  max_message_id?: number;
  unread_msgs?: any;
  starred_messages?: number[];
  recent_private_conversations?: { max_message_id: number; user_ids: number[] }[];
  streams?: any[];
  subscriptions?: any[];
  unsubscribed?: any[];
  never_subscribed?: any[];
  user_topics?: any[];
  realm_users?: any[];
  realm_non_active_users?: any[];
  realm_user_groups?: any[];
  realm_default_streams?: number[];
}

/**
 * Applies events to the state of a registration with the core of the client library (events.md, column "State"). Proves that
 * *register, then events* equals *register later*. Fields that were not fetched stay absent; the arguments are not changed.
 */
export function applyEvents(state: ClientState, events: readonly any[]): ClientState {
  const before = stateOf(state as unknown as Registered);
  // What a suite writes by hand has no IDs.
  const numbered = events.map((event, index): ServerEvent => ({ id: index, ...event }));
  return structuredClone(registeredOf(applyAll(before, numbered)));
}

/**
 * Fields that no event changes, that differ between any two registrations, or whose events are ephemeral: a client that does not
 * poll at the moment misses them, and asks again.
 */
const INCOMPARABLE = ['queue_id', 'last_event_id', 'server_timestamp', 'presence_last_update_id', 'presences'];

/** Normal form of the state, in which equal states are equal. It shares parts with the state. */
export function comparable(state: ClientState): ClientState {
  const result = { ...state };
  for (const field of INCOMPARABLE) Reflect.deleteProperty(result, field);
  const { unread_msgs: unread, user_status: statuses } = result;
  if (unread !== undefined)
    result.unread_msgs = { ...unread, mentions: [...unread.mentions].sort((a: number, b: number) => a - b) };
  // Nobody is told of the statuses of deactivated users.
  const gone = new Set(result.realm_non_active_users?.map(({ user_id }) => user_id));
  if (statuses !== undefined)
    result['user_status'] = Object.fromEntries(
      Object.entries(statuses).filter(([userId]) => !gone.has(Number(userId))),
    );
  return result;
}

/** That a channel has its first message is told by the message alone, which those who are not subscribed do not get. */
export function learnFirstMessages(state: ClientState, fresh: ClientState): void {
  for (const list of ['streams', 'unsubscribed', 'never_subscribed'] as const) {
    const firsts = new Map(fresh[list]?.map((channel) => [channel.stream_id, channel.first_message_id]));
    for (const channel of state[list] ?? []) channel.first_message_id ??= firsts.get(channel.stream_id) ?? null;
  }
}

/** Updates some unread messages of a state from a newer state. */
export function refreshUnread(
  state: ClientState,
  fresh: ClientState,
  isConcerned: (id: number, channelId?: number, topic?: string) => boolean,
): ClientState {
  if (state.unread_msgs === undefined || fresh.unread_msgs === undefined) return state;
  const self = state.user_id ?? 0;
  const [before, after] = [entriesOf(unreadOf(state.unread_msgs, self)), entriesOf(unreadOf(fresh.unread_msgs, self))];
  const concerns = ({ id, place }: UnreadEntry): boolean =>
    'channelId' in place ? isConcerned(id, place.channelId, place.topic) : isConcerned(id);
  const entries = [...before.filter((entry) => !concerns(entry)), ...after.filter(concerns)];
  const unread: Unread = {
    ...unreadOf(state.unread_msgs, self),
    keys: IdMap.empty(),
    conversations: entries.reduce((all, { id, place }) => {
      const known = all.get(keyOf(place))?.ids ?? idSet([]);
      return all.set(keyOf(place), { place, ids: known.set(id, true) });
    }, KeyMap.empty<UnreadConversation>()),
    mentions: idSet(entries.flatMap(({ id, isMention }) => (isMention ? [id] : []))),
  };
  const next = stateOf(state as unknown as Registered);
  const known = registeredOf({ ...next, unread: recounted(unread, placesOf(next)) });
  return structuredClone(known);
}

interface UnreadEntry {
  readonly id: number;
  readonly place: Place;
  readonly isMention: boolean;
}

function entriesOf({ conversations, mentions }: Unread): readonly UnreadEntry[] {
  return [...conversations].flatMap(([, { place, ids }]) =>
    [...ids.keys()].map((id) => ({ id, place, isMention: mentions.has(id) })),
  );
}

/** What views show of the client's state. A part is made again only when what it is made of has changed. */
import type { ClientState, SessionStatus, State, UnreadConversation } from '#client';
import type { ChatState, Connection, PictureEmoji, Settings, Unread } from './chat-state.js';
import { type Place, placeKey } from './place.js';
import type { Channel, Emoji, Person, TopicPolicy } from './wire.js';
import { byName } from '../../shared/order.js';

/** A function that remembers its last result, for the same arguments. */
function remembered<A extends readonly unknown[], T>(make: (...given: A) => T): (...given: A) => T {
  let last: { readonly given: A; readonly made: T } | undefined;
  return (...given) => {
    if (last === undefined || last.given.some((one, index) => one !== given[index]))
      last = { given, made: make(...given) };
    return last.made;
  };
}

/** @returns a function from the client's state, and who is typing, to what is shown; undefined before the first registration */
export function shownState(): (client: ClientState, typing: ChatState['typing']) => ChatState | undefined {
  const people = remembered((users: State['users'], former: State['formerUsers'], bots: unknown) => {
    const all = [...(users?.values() ?? []), ...(former?.values() ?? []), ...((bots ?? []) as readonly Person[])];
    return new Map(all.map((user) => [user.user_id, user as unknown as Person]));
  });
  const channels = remembered((subscriptions: State['subscriptions']) => {
    const open = [...(subscriptions?.values() ?? [])].filter(({ is_archived }) => is_archived !== true);
    return new Map(open.map((channel) => [channel.stream_id, channel as unknown as Channel]));
  });
  const allChannels = remembered((...lists: readonly State['subscriptions'][]) =>
    lists
      .flatMap((list) => [...(list?.values() ?? [])])
      .filter(({ is_archived }) => is_archived !== true)
      .sort((a, b) => byName(a.name, b.name))
      .map((channel) => channel as unknown as ChatState['allChannels'][number]),
  );
  const unread = remembered(unreadOf);
  const directs = remembered((recent: State['recentDirect'], self: number) =>
    (recent ?? []).map(({ user_ids }) => user_ids.filter((id) => id !== self)),
  );
  const policies = remembered((topics: State['topics']) => {
    const all = [...(topics ?? [])].map(([, { topic }]) => topic);
    return new Map(
      all.map(({ stream_id, topic_name, visibility_policy }) => [
        placeKey({ kind: 'topic', channelId: stream_id, topic: topic_name }),
        visibility_policy as TopicPolicy,
      ]),
    );
  });
  const muted = remembered(
    (users: unknown) => new Set(((users ?? []) as readonly { id: number }[]).map(({ id }) => id)),
  );
  const connection = remembered(connectionOf);
  const limits = remembered((messageLength: unknown, policy: unknown) => ({
    messageLength: Number(messageLength),
    isTopicNeeded: policy === 'disable_empty_topic',
  }));
  const statuses = remembered(statusesOf);
  const pictures = remembered(
    (emoji: unknown) => new Map(Object.entries((emoji ?? {}) as Record<string, PictureEmoji>)),
  );
  const whole = remembered(wholeOf);
  return ({ state, status }, typing) => {
    if (state === undefined) return undefined;
    const { fields, self } = state;
    return whole(
      self,
      fields.realm_name,
      fields.user_settings,
      people(state.users, state.formerUsers, fields.cross_realm_bots),
      channels(state.subscriptions),
      allChannels(state.subscriptions, state.unsubscribed, state.neverSubscribed),
      unread(state.unread?.conversations, state.unread?.mentions, state.unread?.keys),
      directs(state.recentDirect, self),
      policies(state.topics),
      muted(fields.muted_users),
      connection(status),
      limits(fields.max_message_length, fields.realm_topics_policy),
      typing,
      statuses(fields.user_status),
      pictures(fields.realm_emoji),
      fields.realm_playgrounds ?? NONE,
    );
  };
}

type Parts = readonly [
  meId: number,
  realmName: unknown,
  settings: unknown,
  people: ChatState['people'],
  channels: ChatState['channels'],
  allChannels: ChatState['allChannels'],
  unread: ChatState['unread'],
  directs: ChatState['directs'],
  policies: ChatState['topicPolicies'],
  muted: ChatState['mutedUsers'],
  connection: Connection,
  limits: ChatState['limits'],
  typing: ChatState['typing'],
  statuses: ChatState['statuses'],
  pictures: ChatState['pictures'],
  playgrounds: ChatState['playgrounds'],
];

const NONE: readonly never[] = [];

function wholeOf(...parts: Parts): ChatState {
  const [meId, realmName, settings, ...rest] = parts;
  const [shownPeople, shownChannels, all, shownUnread, shownDirects, topicPolicies, mutedUsers, ...more] = rest;
  const [link, sizes, typing, statuses, pictures, playgrounds] = more;
  return {
    meId,
    realmName: String(realmName),
    settings: settings as Settings,
    people: shownPeople,
    channels: shownChannels,
    allChannels: all,
    unread: shownUnread,
    directs: shownDirects,
    topicPolicies,
    mutedUsers,
    connection: link,
    limits: sizes,
    typing,
    statuses,
    pictures,
    playgrounds,
  };
}

function statusesOf(told: unknown): ChatState['statuses'] {
  const all = Object.entries(
    (told ?? {}) as Readonly<Record<string, { readonly status_text?: string } & Partial<Emoji>>>,
  );
  return new Map(
    all.map(([id, { status_text: text = '', emoji_name, emoji_code, reaction_type }]) => {
      const hasEmoji = emoji_name !== undefined && emoji_code !== undefined && reaction_type !== undefined;
      return [Number(id), { text, emoji: hasEmoji ? { emoji_name, emoji_code, reaction_type } : undefined }];
    }),
  );
}

function connectionOf(status: SessionStatus): Connection {
  if (status.kind === 'offline') return status;
  return { kind: status.kind === 'live' ? 'live' : 'connecting' };
}

/** Conversations stay the same objects until they change, so that each is summed up once. */
const summaries = new WeakMap<UnreadConversation, Omit<Unread, 'mentions'>>();

function summaryOf(conversation: UnreadConversation): Omit<Unread, 'mentions'> {
  let known = summaries.get(conversation);
  if (known === undefined) {
    const { place: given, ids } = conversation;
    const place: Place = 'others' in given ? { kind: 'direct', userIds: given.others } : { kind: 'topic', ...given };
    let latestId = 0;
    for (const id of ids.keys()) latestId = id;
    known = { place, count: ids.size, latestId };
    summaries.set(conversation, known);
  }
  return known;
}

type UnreadParts = NonNullable<State['unread']>;

function unreadOf(
  conversations: UnreadParts['conversations'] | undefined,
  mentioned: UnreadParts['mentions'] | undefined,
  keys: UnreadParts['keys'] | undefined,
): ReadonlyMap<string, Unread> {
  const mentions = new Map<string, number>();
  for (const id of mentioned?.keys() ?? []) {
    const key = keys?.get(id) ?? '';
    mentions.set(key, (mentions.get(key) ?? 0) + 1);
  }
  const shown = new Map<string, Unread>();
  for (const [key, conversation] of conversations ?? []) {
    const summary = summaryOf(conversation);
    // The same topic in other letters is the same conversation.
    const before = shown.get(placeKey(summary.place));
    shown.set(placeKey(summary.place), {
      place: summary.place,
      count: summary.count + (before?.count ?? 0),
      mentions: (mentions.get(key) ?? 0) + (before?.mentions ?? 0),
      latestId: Math.max(summary.latestId, before?.latestId ?? 0),
    });
  }
  return shown;
}

/** IDs of the unread messages of a conversation. */
export function unreadIdsOf({ unread }: State, place: Place): readonly number[] {
  return [...(unread?.conversations ?? [])].flatMap(([, conversation]) =>
    placeKey(summaryOf(conversation).place) === placeKey(place) ? [...conversation.ids.keys()] : [],
  );
}

/** The state of a registration, and what events change of it. An event of an unknown type changes nothing. */
import type { Params } from '../../shared/api.js';
import { directWith, type Place, placeKey } from './place.js';
import type { ChatState, Settings } from './chat-state.js';
import type { ClientEvent } from './event-loop.js';
import type { UnreadIndex } from './unread.js';
import type { Channel, Person, TopicPolicy } from './wire.js';

/** Who does not say that they stop typing is taken not to after this time. */
const TYPING_MS = 15_000;

interface UserTopic {
  readonly stream_id: number;
  readonly topic_name: string;
  readonly visibility_policy: TopicPolicy;
}

export function stateOf(given: Params, meId: number, unread: UnreadIndex): ChatState {
  const all = ['realm_users', 'realm_non_active_users', 'cross_realm_bots'].flatMap((name) => given[name] as Person[]);
  const recent = given['recent_private_conversations'] as readonly { user_ids: number[]; max_message_id: number }[];
  const topics = given['user_topics'] as readonly UserTopic[];
  return {
    meId,
    realmName: String(given['realm_name']),
    people: new Map(all.map((person) => [person.user_id, person])),
    channels: byId(given['subscriptions'] as Channel[]),
    unread: unread.snapshot(),
    connection: { kind: 'live' },
    directs: recent
      .toSorted((a, b) => b.max_message_id - a.max_message_id)
      .map(({ user_ids }) => user_ids.filter((id) => id !== meId)),
    topicPolicies: new Map(topics.map((topic) => [keyOf(topic), topic.visibility_policy])),
    mutedUsers: new Set((given['muted_users'] as readonly { id: number }[]).map(({ id }) => id)),
    settings: given['user_settings'] as Settings,
    typing: new Map(),
    limits: {
      messageLength: Number(given['max_message_length']),
      isTopicNeeded: given['realm_topics_policy'] === 'disable_empty_topic',
    },
  };
}

export function changedState(state: ChatState, event: ClientEvent): ChatState {
  switch (event.type) {
    case 'message':
      return arrived(state, event['place'] as Place, event['message'] as { readonly sender_id: number });
    case 'realm_user':
      return { ...state, people: changedPeople(state.people, event) };
    case 'subscription':
      return { ...state, channels: changedSubscriptions(state.channels, event) };
    case 'stream':
      return { ...state, channels: changedChannels(state.channels, event) };
    case 'user_topic': {
      const topic = event as unknown as UserTopic;
      return { ...state, topicPolicies: new Map(state.topicPolicies).set(keyOf(topic), topic.visibility_policy) };
    }
    case 'muted_users':
      return { ...state, mutedUsers: new Set((event['muted_users'] as { id: number }[]).map(({ id }) => id)) };
    case 'user_settings':
      return { ...state, settings: { ...state.settings, [String(event['property'])]: event['value'] } };
    case 'realm':
      if (event['property'] === 'name') return { ...state, realmName: String(event['value']) };
      return state;
    case 'typing':
      return typed(state, event);
    case 'typing-over':
      return { ...state, typing: withoutOld(state.typing) };
    default:
      return state;
  }
}

const byId = (channels: readonly Channel[]): Map<number, Channel> =>
  new Map(channels.map((channel) => [channel.stream_id, channel]));

const keyOf = ({ stream_id, topic_name }: UserTopic): string =>
  placeKey({ kind: 'topic', channelId: stream_id, topic: topic_name });

function arrived(state: ChatState, place: Place, { sender_id }: { readonly sender_id: number }): ChatState {
  const typing = new Map(state.typing);
  const there = new Map(typing.get(placeKey(place)));
  if (there.delete(sender_id)) typing.set(placeKey(place), there);
  if (place.kind === 'topic') return { ...state, typing };
  const key = place.userIds.join();
  return { ...state, typing, directs: [place.userIds, ...state.directs.filter((ids) => ids.join() !== key)] };
}

function changedPeople(people: ChatState['people'], event: ClientEvent): ChatState['people'] {
  const given = event['person'] as Partial<Person> & { readonly user_id: number };
  const before = people.get(given.user_id);
  if (event.op !== 'add' && before === undefined) return people;
  return new Map(people).set(given.user_id, { ...before, ...given } as Person);
}

function changedSubscriptions(channels: ChatState['channels'], event: ClientEvent): ChatState['channels'] {
  const next = new Map(channels);
  const given = event['subscriptions'] as readonly Channel[] | undefined;
  if (event.op === 'add') for (const channel of given ?? []) next.set(channel.stream_id, channel);
  else if (event.op === 'remove') for (const { stream_id } of given ?? []) next.delete(stream_id);
  else if (event.op === 'update') setProperty(next, event);
  return next;
}

function changedChannels(channels: ChatState['channels'], event: ClientEvent): ChatState['channels'] {
  const next = new Map(channels);
  if (event.op === 'update') setProperty(next, event);
  else if (event.op === 'delete')
    for (const id of (event['stream_ids'] as readonly number[] | undefined) ?? []) next.delete(id);
  return next;
}

function setProperty(channels: Map<number, Channel>, event: ClientEvent): void {
  const channel = channels.get(Number(event['stream_id']));
  if (channel !== undefined)
    channels.set(channel.stream_id, { ...channel, [String(event['property'])]: event['value'] });
}

function typed(state: ChatState, event: ClientEvent): ChatState {
  const { user_id } = event['sender'] as { readonly user_id: number };
  if (user_id === state.meId) return state;
  const recipients = event['recipients'] as readonly { readonly user_id: number }[] | undefined;
  const place: Place =
    event['stream_id'] === undefined
      ? directWith(
          (recipients ?? []).map((one) => one.user_id),
          state.meId,
        )
      : { kind: 'topic', channelId: Number(event['stream_id']), topic: String(event['topic']) };
  const typing = new Map(withoutOld(state.typing));
  const there = new Map(typing.get(placeKey(place)));
  if (event.op === 'start') there.set(user_id, Date.now() + TYPING_MS);
  else there.delete(user_id);
  return { ...state, typing: typing.set(placeKey(place), there) };
}

function withoutOld(typing: ChatState['typing']): ChatState['typing'] {
  const nowMs = Date.now();
  return new Map(
    [...typing]
      .map(([key, there]) => [key, new Map([...there].filter(([, untilMs]) => untilMs > nowMs))] as const)
      .filter(([, there]) => there.size > 0),
  );
}

import { CLOSED, HIDDEN, OPEN, type Expected } from './findings.js';
import { mayKnow, mayPost, mayRead, type Kind, type Role } from './model.js';
import type { Answer, ApiClient } from '../client.js';

/** In seconds since the epoch. */
const NEXT_CENTURY = 4_102_444_800;

/** A route that is about one channel. */
export interface ChannelRoute {
  readonly name: string;
  call(client: ApiClient, channel: { readonly channelId: number; readonly name: string }): Promise<Answer>;
  expected(role: Role, kind: Kind, isInside: boolean): Expected;
}

const whoMayKnow: ChannelRoute['expected'] = (role, kind, isInside) => (mayKnow(role, kind, isInside) ? OPEN : HIDDEN);
/** Open to those who may, and to those who know the channel anyway no more than closed. */
const whoMay =
  (may: typeof mayRead): ChannelRoute['expected'] =>
  (role, kind, isInside) => {
    if (may(role, kind, isInside)) return OPEN;
    return mayKnow(role, kind, isInside) ? CLOSED : HIDDEN;
  };

const whoIsSubscribed = whoMay((_role, _kind, isInside) => isInside);

export const OF_CHANNELS: readonly ChannelRoute[] = [
  {
    name: 'GET /streams/{id}',
    call: (client, { channelId }) => client.call('GET', `/streams/${channelId}`),
    expected: whoMayKnow,
  },
  {
    name: 'GET /get_stream_id',
    call: (client, { name }) => client.call('GET', '/get_stream_id', { stream: name }),
    expected: whoMayKnow,
  },
  {
    name: 'GET /streams/{id}/members',
    call: (client, { channelId }) => client.call('GET', `/streams/${channelId}/members`),
    expected: whoMayKnow,
  },
  {
    name: 'GET /users/{id}/subscriptions/{id}',
    call: (client, { channelId }) => client.call('GET', `/users/${client.userId}/subscriptions/${channelId}`),
    expected: whoMayKnow,
  },
  {
    name: 'GET /users/me/{id}/topics',
    call: (client, { channelId }) => client.call('GET', `/users/me/${channelId}/topics`),
    expected: whoMay(mayRead),
  },
  {
    name: 'PATCH /users/me/subscriptions/{id}',
    call: (client, { channelId }) =>
      client.call('PATCH', `/users/me/subscriptions/${channelId}`, { property: 'pin_to_top', value: true }),
    expected: whoIsSubscribed,
  },
  {
    name: 'POST /users/me/subscriptions/properties',
    call: (client, { channelId: stream_id }) =>
      client.call('POST', '/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id, property: 'pin_to_top', value: false }],
      }),
    expected: whoIsSubscribed,
  },
  {
    name: 'POST /typing',
    call: (client, { channelId: stream_id }) =>
      client.call('POST', '/typing', { type: 'channel', op: 'start', stream_id, topic: 'a topic' }),
    expected: whoMay(mayPost),
  },
  {
    name: 'POST /mark_stream_as_read',
    call: (client, { channelId: stream_id }) => client.call('POST', '/mark_stream_as_read', { stream_id }),
    expected: whoMay(mayRead),
  },
  {
    name: 'POST /user_topics',
    call: (client, { channelId: stream_id }) =>
      client.call('POST', '/user_topics', { stream_id, topic: 'a topic', visibility_policy: 1 }),
    expected: (role, kind, isInside) =>
      mayRead(role, kind, isInside) ? OPEN : mayKnow(role, kind, isInside) ? ['open', ...CLOSED] : HIDDEN,
  },
  {
    name: 'POST /streams/{id}/delete_topic',
    call: (client, { channelId }) =>
      client.call('POST', `/streams/${channelId}/delete_topic`, { topic_name: 'no such topic' }),
    // What comes of a topic that is not there is not the matter here.
    expected: (role, kind, isInside) => (mayKnow(role, kind, isInside) ? ['open', ...CLOSED] : HIDDEN),
  },
  {
    name: 'GET /messages, by channel:',
    call: (client, { channelId }) =>
      client.call('GET', '/messages', {
        anchor: 'newest',
        num_before: 0,
        num_after: 0,
        narrow: [{ operator: 'channel', operand: channelId }],
      }),
    // To those who know the channel and may not read it, it is empty.
    expected: (role, kind, isInside) =>
      mayRead(role, kind, isInside) ? OPEN : mayKnow(role, kind, isInside) ? ['open', ...CLOSED] : HIDDEN,
  },
  {
    name: 'POST /drafts',
    call: (client, { channelId }) =>
      client.call('POST', '/drafts', {
        drafts: [{ type: 'stream', to: [channelId], topic: 'a topic', content: 'hello' }],
      }),
    expected: whoMay(mayRead),
  },
  {
    name: 'POST /scheduled_messages',
    call: (client, { channelId: to }) =>
      client.call('POST', '/scheduled_messages', {
        type: 'channel',
        to,
        topic: 'said from there',
        content: 'hello',
        scheduled_delivery_timestamp: NEXT_CENTURY,
      }),
    expected: whoMay(mayPost),
  },
  {
    name: 'POST /messages',
    call: (client, { channelId: to }) =>
      client.call('POST', '/messages', { type: 'channel', to, topic: 'said from there', content: 'hello' }),
    expected: whoMay(mayPost),
  },
];

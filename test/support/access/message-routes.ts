import { FILE_ADDRESSES } from './files.js';
import { CLOSED, HIDDEN, OPEN, REFUSED, type Expected } from './findings.js';
import { isOwn, mayAccess, mayDelete, type Standing } from './model.js';
import { WORD } from './world.js';
import type { Answer, ApiClient } from '../client.js';
import { isShared } from '../pairings.js';

/** In seconds since the epoch. */
const NEXT_CENTURY = 4_102_444_800;

/** A message that a route is asked for: a viewer's, or one that does not exist. */
export interface Asked {
  readonly id: number;
  readonly topic: string;
  readonly channelId: number | undefined;
  /** Address of the file to which it refers, and of the server. */
  readonly file: string;
  readonly site: string;
}

/** A route that is about one message. */
export interface MessageRoute {
  readonly name: string;
  /** It asks for a topic of a channel with one sender, so it is not for direct messages. */
  readonly isOfTopic?: true;
  /** Its answers do not name the message. */
  readonly isOfFile?: true;
  /** While it is done, nothing else is. */
  readonly isDear?: true;
  call(client: ApiClient, message: Asked): Promise<Answer>;
  expected(standing: Standing): Expected;
}

const whoMayAccess = (standing: Standing): Expected => (mayAccess(standing) ? OPEN : HIDDEN);
const whoseOwn = (standing: Standing): Expected => (isOwn(standing) ? OPEN : HIDDEN);
const whoSentIt = (standing: Standing): Expected =>
  mayAccess(standing) ? (standing.isSender ? OPEN : REFUSED) : HIDDEN;
/** One's own file is open, whatever becomes of the messages that refer to it. */
const whoMayOpen = (standing: Standing): Expected => (standing.isSender ? OPEN : whoMayAccess(standing));
const around = (id: number, narrow: unknown): Record<string, unknown> => ({
  anchor: String(id),
  num_before: 0,
  num_after: 0,
  narrow,
});
const flag =
  (name: string) =>
  (client: ApiClient, { id }: Asked) =>
    client.call('POST', '/messages/flags', { op: 'add', flag: name, messages: [id] });

/** On shared stores, where each request takes long, by one address: the matrix of files has the others. */
const ADDRESSES = isShared ? FILE_ADDRESSES.slice(0, 1) : FILE_ADDRESSES;

export const OPENING_FILES: readonly MessageRoute[] = ADDRESSES.map(({ name, load }) => ({
  name,
  isOfFile: true,
  call: (client, { site, file }) => load(site, file, client),
  expected: whoMayOpen,
}));

/** Nothing changes by them. */
export const READING: readonly MessageRoute[] = [
  {
    name: 'GET /messages/{id}',
    call: (client, { id }) => client.call('GET', `/messages/${id}`),
    expected: whoMayAccess,
  },
  ...OPENING_FILES,
  {
    name: 'GET /messages, by anchor',
    call: (client, { id }) => client.call('GET', '/messages', around(id, [])),
    expected: whoseOwn,
  },
  {
    name: 'GET /messages, by id:',
    call: (client, { id }) => client.call('GET', '/messages', around(id, [{ operator: 'id', operand: id }])),
    expected: whoseOwn,
  },
  {
    name: 'GET /messages, by with:',
    call: (client, { id }) => client.call('GET', '/messages', around(id, [{ operator: 'with', operand: id }])),
    expected: whoMayAccess,
  },
  {
    name: 'GET /messages/{id}/history',
    call: (client, { id }) => client.call('GET', `/messages/${id}/history`),
    expected: whoMayAccess,
  },
  {
    name: 'GET /messages/{id}/read_receipts',
    call: (client, { id }) => client.call('GET', `/messages/${id}/read_receipts`),
    expected: whoMayAccess,
  },
];

/** In this order: what puts a message into one's history comes after what asks for it. */
export const CHANGING: readonly MessageRoute[] = [
  {
    name: 'POST /reminders',
    call: (client, { id }) =>
      client.call('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: NEXT_CENTURY }),
    expected: whoMayAccess,
  },
  {
    name: 'POST /messages/flags/narrow',
    call: (client, { id }) => {
      const narrow = [{ operator: 'id', operand: id }];
      return client.call('POST', '/messages/flags/narrow', { ...around(id, narrow), op: 'add', flag: 'collapsed' });
    },
    expected: whoseOwn,
  },
  {
    name: 'POST /mark_topic_as_read',
    isOfTopic: true,
    call: (client, { channelId: stream_id, topic: topic_name }) =>
      client.call('POST', '/mark_topic_as_read', { stream_id, topic_name }),
    // A topic without messages of one's own is no topic (endpoints.md §4).
    expected: (standing) => (isOwn(standing) ? OPEN : mayAccess(standing) ? ['open', ...CLOSED] : HIDDEN),
  },
  { name: 'POST /messages/flags, read', call: flag('read'), expected: whoMayAccess },
  { name: 'POST /messages/flags, starred', call: flag('starred'), expected: whoMayAccess },
  {
    name: 'POST /messages/{id}/reactions',
    call: (client, { id }) => client.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' }),
    expected: whoMayAccess,
  },
  {
    name: 'DELETE /messages/{id}/reactions',
    call: (client, { id }) => client.call('DELETE', `/messages/${id}/reactions`, { emoji_name: 'tada' }),
    expected: whoMayAccess,
  },
  {
    name: 'POST /submessage',
    call: (client, { id }) =>
      client.call('POST', '/submessage', { message_id: id, msg_type: 'widget', content: '{"type":"vote"}' }),
    // None of the messages is a widget.
    expected: (standing) => (mayAccess(standing) ? REFUSED : HIDDEN),
  },
  {
    name: 'POST /messages/{id}/typing',
    call: (client, { id }) => client.call('POST', `/messages/${id}/typing`, { op: 'start' }),
    expected: whoSentIt,
  },
  {
    name: 'POST /messages/{id}/report',
    call: (client, { id }) => client.call('POST', `/messages/${id}/report`, { report_type: 'spam' }),
    expected: whoMayAccess,
  },
  {
    name: 'PATCH /messages/{id}, content',
    call: (client, { id }) => client.call('PATCH', `/messages/${id}`, { content: `${WORD} and more` }),
    expected: whoSentIt,
  },
  {
    name: 'PATCH /messages/{id}, topic',
    isDear: true,
    call: (client, { id, topic }) => {
      const quietly = { send_notification_to_new_thread: false };
      return client.call('PATCH', `/messages/${id}`, { topic: `${topic}, elsewhere`, ...quietly });
    },
    // Direct messages have none.
    expected: (standing) => (mayAccess(standing) ? (standing.kind.isDirect ? REFUSED : OPEN) : HIDDEN),
  },
];

/** Comes last: there is nothing to ask for afterwards. */
export const DELETING: MessageRoute = {
  name: 'DELETE /messages/{id}',
  call: (client, { id }) => client.call('DELETE', `/messages/${id}`),
  expected: (standing) => (mayDelete(standing) ? OPEN : mayAccess(standing) ? REFUSED : HIDDEN),
};

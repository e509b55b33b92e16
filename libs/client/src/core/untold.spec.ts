import type { Registered } from '../wire/types.js';
import { stateOf } from './state.js';
import { bringsUntold } from './untold.js';

const [ALPHA, BETA, GAMMA] = [2, 3, 4];
const REGISTERED = {
  queue_id: 'q',
  last_event_id: 0,
  user_id: 5,
  subscriptions: [ALPHA, GAMMA].map((stream_id) => ({ stream_id, name: `channel ${stream_id}` })),
  unread_msgs: {
    count: 1,
    pms: [],
    streams: [{ stream_id: ALPHA, topic: 'one', unread_message_ids: [7] }],
    huddles: [],
    mentions: [],
    old_unreads_missing: false,
  },
} as unknown as Registered;

const subscribed = (first_message_id: number | null) => ({
  type: 'subscription',
  op: 'add',
  subscriptions: [{ stream_id: BETA, name: 'channel 3', first_message_id }],
});
const moved = (from: number, to: number) => ({
  type: 'update_message',
  message_id: 8,
  message_ids: [8],
  stream_id: from,
  new_stream_id: to,
  flags: [],
});
const edited = (message_id: number, stream_id: number, flags: readonly string[]) => ({
  type: 'update_message',
  message_id,
  message_ids: [message_id],
  stream_id,
  content: 'hello',
  flags,
});
const changed = (property: string, stream_id = ALPHA) => ({ type: 'stream', op: 'update', stream_id, property });

test.each([
  ['a subscription to a channel with messages', subscribed(1), true],
  ['a subscription to a new channel', subscribed(null), false],
  ['a move out of a channel without a subscription', moved(BETA, ALPHA), true],
  ['a move between channels with one', moved(ALPHA, GAMMA), false],
  ['a move to a channel without one', moved(ALPHA, BETA), false],
  ['a mention of the reader, later', edited(8, ALPHA, ['mentioned']), true],
  ['an edit of what is read', edited(8, ALPHA, ['read']), false],
  ['an edit of what is unread', edited(7, ALPHA, []), false],
  ['an edit in a channel without a subscription', edited(8, BETA, []), false],
  ['the end of an archive', changed('is_archived'), true],
  ['another history', changed('history_public_to_subscribers'), true],
  ['another name', changed('name'), false],
  ['another history where the reader is not', changed('history_public_to_subscribers', BETA), false],
])('%s: %#', (_what, event, expected) => {
  expect(bringsUntold({ id: 1, ...event }, stateOf(REGISTERED))).toBe(expected);
  const { unread_msgs: _, ...others } = REGISTERED as Registered & { unread_msgs: unknown };
  expect(bringsUntold({ id: 1, ...event }, stateOf(others))).toBe(false);
});

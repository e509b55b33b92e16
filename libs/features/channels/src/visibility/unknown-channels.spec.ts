import type { WireChannelEvent } from '../channel-entries.js';
import type { WireChannel, WireSubscription } from '../wire-channel.js';
import { withoutUnknown } from './unknown-channels.js';

const create = (...ids: number[]): WireChannelEvent => ({
  type: 'stream',
  op: 'create',
  streams: ids.map((stream_id) => ({ stream_id }) as WireChannel),
});
const vanish = (...stream_ids: number[]): WireChannelEvent => ({
  type: 'stream',
  op: 'delete',
  stream_ids,
  streams: stream_ids.map((stream_id) => ({ stream_id })),
});
const update = (stream_id: number): WireChannelEvent => ({
  type: 'stream',
  op: 'update',
  stream_id,
  name: 'hall',
  property: 'name',
  value: 'yard',
});
const peers = (...stream_ids: number[]): WireChannelEvent => ({
  type: 'subscription',
  op: 'peer_add',
  stream_ids,
  user_ids: [7],
});
const add: WireChannelEvent = {
  type: 'subscription',
  op: 'add',
  subscriptions: [{ stream_id: 1 } as WireSubscription],
};

test('nothing is told of a channel before it appears', () => {
  const events = [peers(1), update(1), update(2), create(1), add, update(1), peers(1)];
  expect(withoutUnknown(events)).toEqual([undefined, undefined, update(2), create(1), add, update(1), peers(1)]);
});

test('nor between where it vanishes and appears again', () => {
  const events = [update(1), vanish(1, 2), update(1), update(2), create(1)];
  expect(withoutUnknown(events)).toEqual([update(1), vanish(1, 2), undefined, update(2), create(1)]);
});

test('subscribers of several channels are told of those that are known', () => {
  const other: WireChannelEvent = { type: 'default_streams', default_streams: [1] };
  expect(withoutUnknown([peers(1, 2, 3), other, create(1, 3)])).toEqual([peers(2), other, create(1, 3)]);
});

test('events without one that makes a channel appear stay the same objects', () => {
  const events = [update(1), vanish(1), peers(2)];
  expect(withoutUnknown(events).every((event, index) => event === events[index])).toBe(true);
});

import type { ClientEvent } from '#feed';
import { withoutUnknown } from './unknown-channels.js';

const create = (...ids: number[]): ClientEvent => ({
  type: 'stream',
  op: 'create',
  streams: ids.map((stream_id) => ({ stream_id })),
});
const vanish = (...stream_ids: number[]): ClientEvent => ({ type: 'stream', op: 'delete', stream_ids });
const update = (stream_id: number): ClientEvent => ({ type: 'stream', op: 'update', stream_id });
const peers = (...stream_ids: number[]): ClientEvent => ({ type: 'subscription', op: 'peer_add', stream_ids });
const add: ClientEvent = { type: 'subscription', op: 'add', subscriptions: [{ stream_id: 1 }] };

test('nothing is told of a channel before it appears', () => {
  const events = [peers(1), update(1), update(2), create(1), add, update(1), peers(1)];
  expect(withoutUnknown(events)).toEqual([undefined, undefined, update(2), create(1), add, update(1), peers(1)]);
});

test('nor between where it vanishes and appears again', () => {
  const events = [update(1), vanish(1, 2), update(1), update(2), create(1)];
  expect(withoutUnknown(events)).toEqual([update(1), vanish(1, 2), undefined, update(2), create(1)]);
});

test('subscribers of several channels are told of those that are known', () => {
  const other: ClientEvent = { type: 'default_streams', default_streams: [1] };
  expect(withoutUnknown([peers(1, 2, 3), other, create(1, 3)])).toEqual([peers(2), other, create(1, 3)]);
});

test('events without one that makes a channel appear stay the same objects', () => {
  const events = [update(1), vanish(1), peers(2)];
  expect(withoutUnknown(events).every((event, index) => event === events[index])).toBe(true);
});

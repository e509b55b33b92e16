import type { ChannelSubscribed, ChannelUnsubscribed } from './subscription.events.js';
import { subscribedTogether, unsubscribedTogether } from './together.js';

const at = 1_790_000_000;
const joined = (channelId: number, ...userIds: number[]): ChannelSubscribed => {
  const subscribers = userIds.map((userId) => ({ userId, color: `#00000${(userId + channelId) % 10}` }));
  return { type: 'channel.subscribed.v1', data: { channelId, subscribers, by: 1, at } };
};
const left = (channelId: number, ...userIds: number[]): ChannelUnsubscribed => {
  return { type: 'channel.unsubscribed.v1', data: { channelId, userIds, by: 1, at } };
};
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test('channels that the same users joined are one event, with their colours', () => {
  expect(subscribedTogether([joined(1, 5, 6), joined(2, 6), joined(3, 5, 6)])).toEqual([
    {
      type: 'channels.subscribed.v1',
      data: {
        channels: [
          { channelId: 1, colors: ['#000006', '#000007'] },
          { channelId: 3, colors: ['#000008', '#000009'] },
        ],
        userIds: [5, 6],
        by: 1,
        at,
      },
    },
    joined(2, 6),
  ]);
});

test('one channel stays as it is, and other events come first', () => {
  const other = { type: 'channel.created.v1' } as const;
  expect(subscribedTogether([joined(1, 5), other])).toEqual([other, joined(1, 5)]);
});

test('channels that the same users left are one event', () => {
  expect(unsubscribedTogether([left(1, 5), left(2, 5, 6), left(3, 5)])).toEqual([
    { type: 'channels.unsubscribed.v1', data: { channelIds: [1, 3], userIds: [5], by: 1, at } },
    left(2, 5, 6),
  ]);
});

test('events are bounded in channels, and in pairs of channel and user', () => {
  const channelsIn = (users: number, channels: number): number[] =>
    subscribedTogether(range(channels).map((channelId) => joined(channelId, ...range(users)))).map(({ type, data }) =>
      type === 'channels.subscribed.v1' ? data.channels.length : 1,
    );
  expect(channelsIn(1, 450)).toEqual([200, 200, 50]);
  expect(channelsIn(3_000, 7)).toEqual([3, 3, 1]);
  expect(channelsIn(10_000, 2)).toEqual([1, 1]);
});

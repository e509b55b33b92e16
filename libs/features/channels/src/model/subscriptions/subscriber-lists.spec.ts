import { Directory } from '#people';
import { sampleUser } from '#testing';

let directory: Directory;
let position: number;
beforeEach(() => {
  directory = new Directory();
  directory.restore({ ...directory.snapshot(), users: [1, 2, 3, 4, 5].map((userId) => sampleUser(userId)) });
  position = 0;
  apply('channel.subscribed.v1', { channelId: 1, subscribers: [5, 2, 3].map((userId) => ({ userId, color: '' })) });
  apply('channel.subscribed.v1', { channelId: 2, subscribers: [{ userId: 4, color: '' }] });
});

function apply(type: string, data: object): void {
  directory.evolve({ type, data: { by: 1, at: 1, ...data } }, ++position);
}

test('the list of subscribers is the same one until the subscribers of this channel change', () => {
  const before = directory.subscriberIds(1);
  expect(before).toEqual([2, 3, 5]);
  apply('channel.subscribed.v1', { channelId: 2, subscribers: [{ userId: 1, color: '' }] });
  apply('subscription.settings-changed.v1', {
    userId: 2,
    changes: [{ channelId: 1, setting: 'is_muted', value: true }],
  });
  expect(directory.subscriberIds(1)).toBe(before);
  apply('channel.unsubscribed.v1', { channelId: 1, userIds: [3] });
  expect(directory.subscriberIds(1)).toEqual([2, 5]);
  expect(before).toEqual([2, 3, 5]);
});

test('a deactivated user is held among the subscribers, one who has left is not', () => {
  apply('user.deactivated.v1', { userId: 2 });
  apply('channel.unsubscribed.v1', { channelId: 1, userIds: [3] });
  expect([directory.subscriberIds(1), directory.heldSubscriberIds(1)]).toEqual([[5], [2, 5]]);
  apply('user.reactivated.v1', { userId: 2 });
  expect([directory.subscriberIds(1), directory.heldSubscriberIds(1)]).toEqual([
    [2, 5],
    [2, 5],
  ]);
});

test('an unknown channel has no subscribers', () => {
  expect([directory.subscriberIds(77), directory.heldSubscriberIds(77)]).toEqual([[], []]);
  apply('channel.subscribed.v1', { channelId: 77, subscribers: [{ userId: 1, color: '' }] });
  expect(directory.subscriberIds(77)).toEqual([1]);
});

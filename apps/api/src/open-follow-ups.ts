import { openFollowUpsProjection } from '#follow-ups';

/** The list of what is to follow from facts of these types. */
export const openFollowUps = openFollowUpsProjection([
  'channel.subscribed.v1',
  'channel.unsubscribed.v1',
  'messages.moved.v1',
  'mute.added.v1',
]);

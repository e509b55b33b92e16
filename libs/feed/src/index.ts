export { EphemeralEvents } from './delivery/ephemeral-events.js';
export { type Feed, openFeed, openFeedReader, openFeedWriter } from './feed.js';
export { FeedModule } from './feed.module.js';
export {
  type Audience,
  type ClientEvent,
  ClientEvents,
  type Derivations,
  type FeedEntry,
  noClientEvents,
  type Presentable,
  type QueueSettings,
  type Recipient,
  type WholeState,
} from './log/feed-entry.js';
export { FeedFollower } from './log/feed-follower.js';
export { feedCollection } from './log/feed-history.js';
export { EventQueues } from './queues/event-queues.js';
export { QueueReaper } from './queues/queue-reaper.js';
export { AreEventTypes, QueueParams, queueSettings } from './queues/queue.params.js';
export { Replica } from './replica/replica.js';

export { EphemeralEvents } from './delivery/ephemeral-events.js';
export { type Feed, openFeed, openFeedReader, openFeedWriter } from './feed.js';
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
export { type ListOfThen, listOfThen } from './log/state-of-then.js';
export { FeedFollower } from './log/feed-follower.js';
export { feedCollection } from './log/feed-history.js';
export { badEventQueueId, EventQueues, type Polled, QUEUE_LIFESPAN_SECONDS_MAX } from './queues/event-queues.js';
export { type NarrowTerm, queueNarrow } from './queues/narrow.js';
export { queueEventSchemas } from './queues/queue-events.schema.js';
export { QueueReaper } from './queues/queue-reaper.js';
export { Replica } from './replica/replica.js';

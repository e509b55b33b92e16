export { EventQueues, QUEUE_IDLE_LIMIT_SECONDS, type Registered } from './event-queues.js';
export * from './feed-entry.js';
export { FeedFollower } from './feed-follower.js';
export { feedCollection } from './feed-history.js';
export * from './feed.js';
export * from './feed.module.js';
export { QueueWarden } from './queue-warden.js';
export { Replica } from './replica.js';
export { CAPABILITIES, eventTypes, QueueParams, queueSettings } from './http/queue.params.js';

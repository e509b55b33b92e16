export { Announcer } from './announcer.js';
export { EventQueues } from './event-queues.js';
export * from './feed-entry.js';
export { FeedFollower } from './feed-follower.js';
export * from './feed.js';
export * from './feed.module.js';
export { QueueWarden } from './queue-warden.js';
export { Replica } from './replica.js';
export { CAPABILITIES, eventTypes, QueueParams, queueSettings } from './http/queue.params.js';

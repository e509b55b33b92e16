import { EventQueues } from '#feed';

export const queues = EventQueues;

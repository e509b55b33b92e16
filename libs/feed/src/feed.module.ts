import { Module } from '@nestjs/common';
import { EventsController } from './queues/events.controller.js';

/** HTTP side of the feed. The composition root opens the feed and provides its `EventQueues`. */
@Module({ controllers: [EventsController] })
export class FeedModule {}

import { boolean, integer, Param, text } from '#http';
import { QueueParams } from './queue.params.js';

export class PollParams extends QueueParams {
  @Param(text(), { optional: true, description: 'Without it, a queue is registered by the other parameters.' })
  queue_id?: string;

  @Param(integer({ min: -1 }), { optional: true, description: 'The highest event ID received; -1 for none.' })
  last_event_id?: number;

  @Param(boolean(), { default: false })
  dont_block!: boolean;
}

export class DeleteQueueParams {
  @Param(text())
  queue_id!: string;
}

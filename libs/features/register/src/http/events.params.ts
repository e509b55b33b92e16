import { boolean, integer, Param, text } from '#http';
import { Min } from '#validation';
import { QueueParams } from './queue.params.js';

export class PollParams extends QueueParams {
  @Param(text(), { optional: true, description: 'Without it, a queue is registered by the other parameters.' })
  queue_id?: string;

  @Param(integer(), {
    optional: true,
    description: 'The highest event ID received; -1 for none. Less than was acknowledged before is refused.',
  })
  @Min(-1)
  last_event_id?: number;

  @Param(boolean(), { default: false })
  dont_block!: boolean;
}

export class DeleteQueueParams {
  @Param(text())
  queue_id!: string;
}

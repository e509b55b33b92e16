import { integer, json, Param } from '#http';
import { Min } from '#validation';
import { AreEventTypes, QueueParams } from './queue.params.js';

export class RegisterParams extends QueueParams {
  @Param(json(), {
    optional: true,
    description: 'What to fetch; `event_types` when absent. Unknown names are ignored.',
  })
  @AreEventTypes
  fetch_event_types?: string[];

  @Param(integer(), { default: 14 })
  @Min(0)
  presence_history_limit_days!: number;
}

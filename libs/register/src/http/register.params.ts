import { AreEventTypes, QueueParams } from '#feed';
import { integer, json, Param } from '#http';
import { Max, Min } from '#validation';

/** Fifteen years, the maximum history of presence. */
const PRESENCE_DAYS_MAX = 5_475;

export class RegisterParams extends QueueParams {
  @Param(json(), {
    optional: true,
    description: 'What to fetch; `event_types` when absent. Unknown names are ignored.',
  })
  @AreEventTypes
  fetch_event_types?: string[];

  @Param(integer(), { default: 14 })
  @Min(0)
  @Max(PRESENCE_DAYS_MAX)
  presence_history_limit_days!: number;
}

import { eventTypes, QueueParams } from '#feed';
import { integer, Param } from '#http';

/** Fifteen years: as much history of presence as there can be. */
const PRESENCE_DAYS_MAX = 5_475;

export class RegisterParams extends QueueParams {
  @Param(eventTypes, {
    optional: true,
    description: 'What to fetch; `event_types` when absent. Unknown names are ignored.',
  })
  fetch_event_types?: string[];

  @Param(integer({ min: 0, max: PRESENCE_DAYS_MAX }), { default: 14 })
  presence_history_limit_days!: number;
}

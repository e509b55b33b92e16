import { boolean, integer, Param, text } from '#http';
import { IsIn, Min } from '#validation';
import type { PresenceStatus } from './presence-book.js';

export class ReportPresenceParams {
  @Param(text())
  @IsIn(['active', 'idle'])
  status!: PresenceStatus;

  @Param(boolean(), { default: false, description: 'Answer with nothing.' })
  ping_only!: boolean;

  /** Accepted for clients that tell whether the user just did something; presence does not depend on it. */
  @Param(boolean(), { default: false })
  new_user_input!: boolean;

  @Param(boolean(), { default: false, description: 'Answer in the modern format.' })
  slim_presence!: boolean;

  @Param(integer(), {
    optional: true,
    description:
      'The `presence_last_update_id` of an earlier answer: answer with what changed since, in the modern format.',
  })
  last_update_id?: number;

  @Param(integer(), { default: 14, description: 'Days; 0 for nobody.' })
  @Min(0)
  history_limit_days!: number;
}

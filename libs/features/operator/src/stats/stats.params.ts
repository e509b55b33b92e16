import { integer, Param } from '#http';
import { Max, Min } from '#validation';

/** Each day is a read of a small document. */
const DAYS_MAX = 92;

export class StatsParams {
  @Param(integer(), { default: 30, description: 'Last days to list, up to today.' })
  @Min(1)
  @Max(DAYS_MAX)
  days!: number;
}

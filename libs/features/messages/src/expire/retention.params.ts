import { integer, Param } from '#http';
import { Max, Min } from '#validation';

const POLICIES_MAX = 1_000;

export class RetentionParams {
  @Param(integer(), { default: 0, description: 'ID of the channel after which the page begins.' })
  @Min(0)
  after!: number;

  @Param(integer(), {
    default: POLICIES_MAX,
    description: 'Policies at most. A page whose counts take long has fewer.',
  })
  @Min(1)
  @Max(POLICIES_MAX)
  limit!: number;
}

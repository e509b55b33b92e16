import { integer, nullable, Param } from '#http';
import { Max, Min } from '#validation';

/** A hundred years. */
const DELAY_DAYS_MAX = 36_500;

export class DeactivateRealmParams {
  @Param(nullable(integer()), {
    default: null,
    description: 'After so many days the operator is to delete the data; null to keep it.',
  })
  @Min(0)
  @Max(DELAY_DAYS_MAX)
  deletion_delay_days!: number | null;
}

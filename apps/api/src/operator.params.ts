import { boolean, integer, Param, text } from '#http';
import { MaxCharacters } from '#validation';

/** More than the names of all projections. */
const NAMES_LENGTH_MAX = 2_000;

export class RebuildParams {
  @Param(text(), { optional: true, description: 'Names of projections, separated by commas; without it, all of them.' })
  @MaxCharacters(NAMES_LENGTH_MAX)
  names?: string;

  @Param(boolean(), { default: false, description: 'Only say what would be rebuilt.' })
  dry_run!: boolean;
}

export class DoctorParams {
  @Param(integer(), { optional: true, description: 'Clock of the machine that asks, in UNIX seconds.' })
  now?: number;
}

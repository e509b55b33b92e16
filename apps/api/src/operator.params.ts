import { boolean, integer, Param, text } from '#http';
import { Max, MaxCharacters, Min } from '#validation';

/** More than the names of all projections. */
const NAMES_LENGTH_MAX = 2_000;

export class RebuildParams {
  @Param(text(), { optional: true, description: 'Names of projections, separated by commas; without it, all of them.' })
  @MaxCharacters(NAMES_LENGTH_MAX)
  names?: string;

  @Param(boolean(), { default: false, description: 'Only say what would be rebuilt.' })
  dry_run!: boolean;
}

export class LeftOversParams {
  @Param(boolean(), { default: false, description: 'Only say what would be removed.' })
  dry_run!: boolean;
}

/** Longer than any poll is held with usual settings. */
const HELD_SECONDS_MAX = 300;

export class HeldParams {
  @Param(integer(), { description: 'Seconds until the answer.' })
  @Min(1)
  @Max(HELD_SECONDS_MAX)
  seconds!: number;

  @Param(boolean(), { default: false, description: 'Send the head and the beginning of the answer at once.' })
  begin_at_once!: boolean;
}

export class DoctorParams {
  @Param(integer(), { optional: true, description: 'Clock of the machine that asks, in UNIX seconds.' })
  now?: number;
}

/** Days that a forecast looks back: four weeks, since weekends are quiet. */
export const FORECAST_DAYS = 28;
const DAYS_OF_YEAR = 365;

export interface Sizes {
  readonly events: number;
  readonly bytes: number;
  readonly fileBytes: number;
}

/**
 * What there will be in a year, if it goes on as on these days.
 * @param days whole ones, the last `FORECAST_DAYS` at most
 * @returns undefined without a whole day
 */
export function forecast(now: Sizes, days: readonly Sizes[]): Sizes | undefined {
  if (days.length === 0) return undefined;
  const inAYear = (of: keyof Sizes): number => {
    const grown = days.reduce((sum, day) => sum + day[of], 0);
    return Math.max(0, Math.round(now[of] + (grown / days.length) * DAYS_OF_YEAR));
  };
  return { events: inAYear('events'), bytes: inAYear('bytes'), fileBytes: inAYear('fileBytes') };
}

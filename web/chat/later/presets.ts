/** Times that are offered for what is to happen later, in the zone of the browser. */
import { dialogWords as words } from '../../shared/en-dialogs.js';

export interface Preset {
  readonly label: string;
  /** Seconds since the epoch. */
  readonly at: number;
}

const HOUR_SECONDS = 3600;
const [MORNING_HOUR, EVENING_HOUR, MONDAY] = [9, 18, 1];
/** A time that is nearer than this is not offered. */
const NEAREST_SECONDS = HOUR_SECONDS;

export function presetsAt(nowMs: number): readonly Preset[] {
  const now = Math.floor(nowMs / 1000);
  const onDay = (days: number, hour: number): number => {
    const day = new Date(nowMs);
    day.setDate(day.getDate() + days);
    return Math.floor(day.setHours(hour, 0, 0, 0) / 1000);
  };
  const toMonday = (MONDAY + 7 - new Date(nowMs).getDay()) % 7 || 7;
  const evening = onDay(0, EVENING_HOUR);
  return [
    { label: words.inAnHour, at: now + HOUR_SECONDS },
    { label: words.inThreeHours, at: now + 3 * HOUR_SECONDS },
    ...(evening - now < NEAREST_SECONDS ? [] : [{ label: words.thisEvening, at: evening }]),
    { label: words.tomorrow, at: onDay(1, MORNING_HOUR) },
    // Tomorrow is offered already.
    ...(toMonday === 1 ? [] : [{ label: words.nextMonday, at: onDay(toMonday, MORNING_HOUR) }]),
  ];
}

/** The value of a field of the type `datetime-local`. */
export function fieldTimeOf(seconds: number): string {
  const at = new Date(seconds * 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

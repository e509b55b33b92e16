/** Times of messages, in the reader's zone. Seconds since the epoch. */
import { words } from './words.js';

let hourCycle: 'h12' | 'h23' | undefined;
let formats = formatsOf();

function formatsOf() {
  const clock = hourCycle === undefined ? {} : { hourCycle };
  const hour = hourWithin(clock);
  const wholeDay = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
  return {
    time: new Intl.DateTimeFormat(undefined, { hour, minute: '2-digit', ...clock }),
    of: (timeZone: string) => new Intl.DateTimeFormat(undefined, { timeZone, hour, minute: '2-digit', ...clock }),
    dayAndTime: new Intl.DateTimeFormat(undefined, { ...wholeDay, hour, minute: '2-digit', ...clock }),
    day: new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' }),
    dayOfYear: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' }),
    whole: new Intl.DateTimeFormat(undefined, { ...wholeDay, hour, minute: '2-digit', second: '2-digit', ...clock }),
    when: new Intl.DateTimeFormat(undefined, {
      ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
      ...{ hour, minute: '2-digit', ...clock },
    }),
    short: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }),
  };
}

/** With AM and PM hours have one digit where they can: 9:05 PM, and 09:05 without. */
function hourWithin(clock: { readonly hourCycle?: 'h12' | 'h23' }): 'numeric' | '2-digit' {
  const { hourCycle: used } = new Intl.DateTimeFormat(undefined, { hour: 'numeric', ...clock }).resolvedOptions();
  return used === 'h11' || used === 'h12' ? 'numeric' : '2-digit';
}

const listeners = new Set<() => void>();

/** By the setting `twenty_four_hour_time`; undefined for what is usual in the reader's country. */
export function setClock(isTwentyFourHours: boolean | undefined): void {
  const next = isTwentyFourHours === undefined ? undefined : isTwentyFourHours ? 'h23' : 'h12';
  if (next === hourCycle) return;
  hourCycle = next;
  formats = formatsOf();
  for (const listener of listeners) listener();
}

/** Changes with the way in which times are written: what is drawn or kept with times is made anew then. */
export const clock = (): unknown => formats;

/** @returns what ends it */
export function onClock(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const timeOf = (seconds: number): string => formats.time.format(seconds * 1000);
/** Now, elsewhere. Throws a RangeError for a zone that this browser does not know. */
export const timeNowIn = (timeZone: string): string => formats.of(timeZone).format(Date.now());
/** As a message names a time, with its day. */
export const dayAndTimeOf = (seconds: number): string => formats.dayAndTime.format(seconds * 1000);
/** Without AM/PM, for narrow columns. */
export const narrowTimeOf = (seconds: number): string =>
  formats.time
    .formatToParts(seconds * 1000)
    .flatMap(({ type, value }) => (type === 'dayPeriod' ? [] : [value]))
    .join('')
    .trim();
export const wholeTimeOf = (seconds: number): string => formats.whole.format(seconds * 1000);
/** Day and time of something that is to come. */
export const whenOf = (seconds: number): string => formats.when.format(seconds * 1000);
export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Number of the day in the reader's zone; days of the same number are the same. */
export function dayOf(seconds: number): number {
  const at = new Date(seconds * 1000);
  return Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000;
}

export function dayNameOf(seconds: number, nowMs = Date.now()): string {
  const ago = dayOf(nowMs / 1000) - dayOf(seconds);
  if (ago === 0) return words.today;
  if (ago === 1) return words.yesterday;
  const isThisYear = new Date(seconds * 1000).getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? formats.day : formats.dayOfYear).format(seconds * 1000);
}

/** Time of today, or the day. */
export function shortTimeOf(seconds: number, nowMs = Date.now()): string {
  return dayOf(nowMs / 1000) === dayOf(seconds) ? timeOf(seconds) : formats.short.format(seconds * 1000);
}

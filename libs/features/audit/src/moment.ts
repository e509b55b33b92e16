import type { RecordedEvent } from '#event-store';
import { badRequest, isDay } from '#kernel';
import { timeOf } from './rows.js';

/** The end of what an answer tells: a time, a position of the log, or now. */
export type Moment =
  | { readonly kind: 'now' }
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'position'; readonly position: number };

export const NOW: Moment = { kind: 'now' };

const SECONDS = /^\d{1,12}$/;
const POSITION = /^@(\d{1,15})$/;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * Reads `as_of`: UNIX seconds, a time in ISO form, UTC unless it says another zone, or `@` and a position of the log.
 * @param name of the parameter, for the refusal
 * @throws Refusal BAD_REQUEST
 */
export function readMoment(text: string | undefined, name = 'as_of'): Moment {
  if (text === undefined) return NOW;
  const [, position] = POSITION.exec(text) ?? [];
  if (position !== undefined) return { kind: 'position', position: Number(position) };
  const seconds = secondsIn(text);
  if (seconds === undefined)
    throw badRequest(`${name} must be UNIX seconds, a time such as 2026-01-31T14:05Z, or @ and a position of the log.`);
  return { kind: 'time', seconds };
}

/**
 * Reads UNIX seconds, or a time in ISO form, UTC unless it says another zone.
 * @param name of the parameter
 * @throws Refusal BAD_REQUEST
 */
export function readTime(name: string, text: string): number {
  const seconds = secondsIn(text);
  if (seconds === undefined) throw badRequest(`${name} must be UNIX seconds, or a time such as 2026-01-31T14:05Z.`);
  return seconds;
}

function secondsIn(text: string): number | undefined {
  if (SECONDS.test(text)) return Number(text);
  const [found, zone] = ISO.exec(text) ?? [];
  if (found === undefined || !isDay(found.slice(0, DAY_LENGTH))) return undefined;
  const isWhole = zone !== undefined || found.length === DAY_LENGTH;
  const ms = Date.parse(isWhole ? found : `${found.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

/** Whether something that was recorded then belongs to the state of this moment. */
export function isUpTo(moment: Moment, { at, position }: { readonly at: number; readonly position: number }): boolean {
  switch (moment.kind) {
    case 'now':
      return true;
    case 'time':
      return at <= moment.seconds;
    case 'position':
      return position <= moment.position;
  }
}

export function isEventUpTo(moment: Moment, event: RecordedEvent<object>): boolean {
  return isUpTo(moment, { at: timeOf(event), position: event.position });
}

/** The part of the log that is asked for. */
export interface Period {
  /** Later than this; undefined for the beginning. */
  readonly after: Moment | undefined;
  /** Up to all of these. */
  readonly upTo: readonly Moment[];
}

/** Whether an act was done in a period. */
export function isWithin({ after, upTo }: Period, act: { readonly at: number; readonly position: number }): boolean {
  if (after !== undefined && isUpTo(after, act)) return false;
  return upTo.every((moment) => isUpTo(moment, act));
}

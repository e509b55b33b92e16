import type { StateInline } from 'markdown-it';
import { escapeText, openTag } from './html.js';
import { pushHtml } from './own-html.js';

const LESS_THAN = 60;
const TIME = /<time:([^>\n]{0,100})>/y;
const UNIX_SECONDS = /^-?\d{1,11}(?:\.\d{1,9})?$/;
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})/;
const DATE_ONLY = /^\d{4}-\d{2}(?:-\d{2})?$/;
const LOCAL_ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/i;
const ISO_BLANK_OFFSET = /^(\d{4}-\d{2}-\d{2}T[\d:.]+) +([+-]\d{2}:?\d{2}|Z)$/i;
const HAS_ZONE = /(?:z|utc|gmt|[+-]\d{2}:?\d{2}|\b[ecmp][sd]t)\s*(?:\([^)]*\))?$/i;
/** `Date.parse` guesses a year where none is written, and finds months in ordinary words. */
const HAS_YEAR = /(?:^|\D)\d{4}(?:\D|$)/;
/** Years outside 1 to 9999 have another ISO form, which clients do not read. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

/** `<time:2024-01-02T03:04:00+05:30>`, Unix seconds, or most ways to write a date; without a zone it is UTC. */
export function timeRule(state: StateInline, silent: boolean): boolean {
  const start = state.pos;
  if (state.src.charCodeAt(start) !== LESS_THAN) return false;
  TIME.lastIndex = start;
  const match = TIME.exec(state.src);
  if (match === null || TIME.lastIndex > state.posMax) return false;
  if (!silent) pushHtml(state, timeHtml(match[1] ?? ''));
  state.pos = start + match[0].length;
  return true;
}

function timeHtml(text: string): string {
  const millis = parseTime(text.trim());
  if (Number.isNaN(millis)) return `<span class="timestamp-error">Invalid time format: ${escapeText(text)}</span>`;
  const datetime = new Date(millis).toISOString().replace(/\.\d{3}Z$/, 'Z');
  return `${openTag('time', { datetime })}${escapeText(text)}</time>`;
}

/** Milliseconds since 1970, or NaN. The server's own time zone must never decide what a message says. */
function parseTime(text: string): number {
  const millis = UNIX_SECONDS.test(text) ? Number(text) * 1000 : parseDate(text.replace(ISO_BLANK_OFFSET, '$1$2'));
  return millis >= EARLIEST && millis <= LATEST ? millis : Number.NaN;
}

function parseDate(text: string): number {
  if (!HAS_YEAR.test(text) || !isInCalendar(text)) return Number.NaN;
  if (DATE_ONLY.test(text) || HAS_ZONE.test(text)) return Date.parse(text);
  return Date.parse(LOCAL_ISO.test(text) ? `${text}Z` : `${text} UTC`);
}

/** `Date.parse` takes the 31st of February for the 2nd of March. */
function isInCalendar(text: string): boolean {
  const [, year, month, day] = ISO_DATE.exec(text) ?? [];
  return day === undefined || Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

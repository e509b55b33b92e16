import type { StateInline } from 'markdown-it';
import { escapeText, openTag } from './html.js';
import { pushHtml } from './own-html.js';

const LESS_THAN = 60;
const TIME = /<time:([^>\n]{0,100})>/y;
const UNIX_SECONDS = /^\d{1,11}$/;
const HAS_ZONE = /(?:z|utc|gmt|[+-]\d{2}:?\d{2}|\b[ecmp][sd]t)\s*(?:\([^)]*\))?$/i;
const DATE_ONLY = /^\d{4}-\d{2}(?:-\d{2})?$/;
const LOCAL_ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+$/i;

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
  if (UNIX_SECONDS.test(text)) return Number(text) * 1000;
  const spelled =
    DATE_ONLY.test(text) || HAS_ZONE.test(text) ? text : LOCAL_ISO.test(text) ? `${text}Z` : `${text} UTC`;
  const millis = Date.parse(spelled);
  // Years outside 1 to 9999 have another ISO form, which clients do not read.
  return millis >= Date.UTC(1000, 0) && millis < Date.UTC(10_000, 0) ? millis : Number.NaN;
}

import type { StateInline } from 'markdown-it';
import { escapeText, openTag } from '../html.js';
import { pushHtml } from '../own-html.js';
import { parseWrittenTime } from './written-time.js';

const LESS_THAN = 60;
const TIME = /<time:([^>\n]{0,100})>/y;

/** `<time:2024-01-02T03:04:00+05:30>`, Unix seconds, or most ways to write a date; UTC without a zone. */
export function timeRule(state: StateInline, silent: boolean): boolean {
  const start = state.pos;
  if (state.src.charCodeAt(start) !== LESS_THAN) return false;
  TIME.lastIndex = start;
  const match = TIME.exec(state.src);
  if (match === null || TIME.lastIndex > state.posMax) return false;
  if (!silent) pushHtml(state, timeHtml(match[1] ?? ''), match[0]);
  state.pos = start + match[0].length;
  return true;
}

function timeHtml(text: string): string {
  const millis = parseWrittenTime(text.trim());
  if (Number.isNaN(millis)) return `<span class="timestamp-error">Invalid time format: ${escapeText(text)}</span>`;
  const datetime = new Date(millis).toISOString().replace(/\.\d{3}Z$/, 'Z');
  return `${openTag('time', { datetime })}${escapeText(text)}</time>`;
}

import type { StateInline } from 'markdown-it';
import { type AutolinkMemo, autolinks, type Span } from './autolinks.js';
import { URL_LENGTH_LIMIT } from './links.js';
import { renderingOf } from '../rendering.js';

const COLON = 58;
const ASTERISK = 42;
const TILDE = 126;
const SCHEME_LENGTH_LIMIT = 10;
/** Characters allowed in an address. */
const RUN = /[^\s\p{Cc}<>｜]+/uy;

const NOWHERE: Span = { start: 0, end: 0 };

/**
 * `https://…` in running text, before emphasis could take its underscores and asterisks. Replaces markdown-it's rule,
 * which passes the whole rest of the source to the library for each `://`.
 */
export function autolinkRule(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (state.linkLevel > 0 || src.charCodeAt(pos) !== COLON || !src.startsWith('//', pos + 1)) return false;
  const start = schemeStart(state);
  const memo = memoOf(state);
  if (start === pos || isWithin(start, memo.refused)) return false;
  const found = urlAt(state, start, memo);
  if (found === undefined || found.length <= pos - start) return false;
  const href = state.md.normalizeLink(found);
  if (!state.md.validateLink(href)) {
    memo.refused = { start, end: start + found.length };
    return false;
  }
  if (!silent) pushLink(state, href, found, pos - start);
  state.pos = start + found.length;
  return true;
}

function schemeStart({ src, pos, pending }: StateInline): number {
  const lowest = pos - Math.min(SCHEME_LENGTH_LIMIT, pending.length);
  let start = pos;
  while (start > lowest && /[a-z]/i.test(src.charAt(start - 1))) start--;
  return start;
}

function memoOf({ env, src }: StateInline): AutolinkMemo {
  const rendering = renderingOf(env);
  if (rendering.autolinkMemo?.source !== src) {
    rendering.autolinkMemo = { source: src, run: NOWHERE, refused: NOWHERE };
  }
  return rendering.autolinkMemo;
}

function isWithin(place: number, { start, end }: Span): boolean {
  return place >= start && place < end;
}

/** The address that begins at `start`; none when the run is longer than an address may be. */
function urlAt({ src, posMax }: StateInline, start: number, memo: AutolinkMemo): string | undefined {
  if (!isWithin(start, memo.run)) {
    RUN.lastIndex = start;
    RUN.exec(src);
    memo.run = { start, end: RUN.lastIndex };
  }
  const end = Math.min(memo.run.end, posMax, start + URL_LENGTH_LIMIT + 1);
  const match = autolinks.matchAtStart(src.slice(start, end));
  if (match === null) return undefined;
  if (match.raw.length > URL_LENGTH_LIMIT) {
    memo.refused = { start, end: memo.run.end };
    return undefined;
  }
  return withoutClosing(match.raw);
}

/** Markers after an address more likely close emphasis that was opened before it. */
function withoutClosing(url: string): string {
  let end = url.length;
  for (;;) {
    const last = url.charCodeAt(end - 1);
    if (last === ASTERISK) end--;
    else if (last === TILDE && url.charCodeAt(end - 2) === TILDE) end -= 2;
    else return url.slice(0, end);
  }
}

function pushLink(state: StateInline, href: string, shown: string, schemeLength: number): void {
  state.pending = state.pending.slice(0, -schemeLength);
  const open = state.push('link_open', 'a', 1);
  open.attrs = [['href', href]];
  open.markup = 'linkify';
  open.info = 'auto';
  state.push('text', '', 0).content = shown;
  const close = state.push('link_close', 'a', -1);
  close.markup = 'linkify';
  close.info = 'auto';
}

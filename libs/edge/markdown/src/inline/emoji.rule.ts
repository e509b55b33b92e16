import type { StateInline } from 'markdown-it';
import { customEmojiHtml, emojiByName, emojiHtml } from './emoji.js';
import { pushHtml } from '../own-html.js';
import { renderingOf } from '../rendering.js';

const COLON = 58;
const NAMED = /:([\w+-]{1,100}):/y;

/** `:name:`; unknown names stay as they are. */
export function emojiRule(state: StateInline, silent: boolean): boolean {
  const start = state.pos;
  if (state.src.charCodeAt(start) !== COLON) return false;
  NAMED.lastIndex = start;
  const match = NAMED.exec(state.src);
  if (match === null || NAMED.lastIndex > state.posMax) return false;
  const name = match[1] ?? '';
  const html = namedEmojiHtml(name, state);
  if (html === undefined) return false;
  if (!silent) pushHtml(state, html, match[0]);
  state.pos = start + match[0].length;
  return true;
}

function namedEmojiHtml(name: string, state: StateInline): string | undefined {
  const custom = renderingOf(state.env).world.customEmoji?.(name);
  if (custom !== undefined) return customEmojiHtml(name, custom.url);
  const code = emojiByName(name);
  return code === undefined ? undefined : emojiHtml(code, name);
}

import type { StateBlock, StateCore, StateInline, Token } from 'markdown-it';

/**
 * Tokens of this type contain finished HTML in `content`; only this library's rules make them, so their contents are
 * escaped.
 */
export const OWN_HTML = 'own_html';

/**
 * Emits finished inline HTML.
 * @param source its source, shown instead once the message's markup is spent (`Rendering.spendMarkup`); without it the
 * HTML has a separate limit
 */
export function pushHtml(state: StateInline, html: string, source = ''): Token {
  const token = state.push(OWN_HTML, '', 0);
  token.content = html;
  token.markup = source;
  return token;
}

/** Emits finished block HTML on separate lines. */
export function pushBlockHtml(state: StateBlock, html: string, lines: [number, number]): Token {
  const token = state.push(OWN_HTML, '', 0);
  token.content = `${html}\n`;
  token.map = lines;
  return token;
}

/** Text that replaces another token. */
export function textToken(content: string, state: StateCore): Token {
  const token = new state.Token('text', '', 0);
  token.content = content;
  return token;
}

/** Finished inline HTML that replaces another token. */
export function htmlToken(html: string, state: StateCore): Token {
  const token = new state.Token(OWN_HTML, '', 0);
  token.content = html;
  return token;
}

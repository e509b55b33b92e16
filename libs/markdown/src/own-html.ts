import type { StateBlock, StateCore, StateInline, Token } from 'markdown-it';

/** Tokens of this type carry finished HTML in `content`; only our own rules make them, so whatever they hold was escaped by us. */
export const OWN_HTML = 'own_html';

/** Emits finished inline HTML. */
export function pushHtml(state: StateInline, html: string): Token {
  const token = state.push(OWN_HTML, '', 0);
  token.content = html;
  return token;
}

/** Emits finished block HTML on lines of its own. */
export function pushBlockHtml(state: StateBlock, html: string, lines: [number, number]): Token {
  const token = state.push(OWN_HTML, '', 0);
  token.content = `${html}\n`;
  token.map = lines;
  return token;
}

/** Text in the place of another token. */
export function textToken(content: string, state: StateCore): Token {
  const token = new state.Token('text', '', 0);
  token.content = content;
  return token;
}

/** Finished inline HTML in the place of another token. */
export function htmlToken(html: string, state: StateCore): Token {
  const token = new state.Token(OWN_HTML, '', 0);
  token.content = html;
  return token;
}

import type { StateCore, Token } from 'markdown-it';
import {
  codeOfCharacters,
  codeOfEmoticon,
  EMOJI_SEQUENCE,
  EMOTICON,
  emojiHtml,
  emojiNamesByCode,
  MAYBE_EMOJI,
} from './emoji.js';
import { openTag, escapeText } from '../html.js';
import { linkifyMatches, withoutOverlaps } from '../links/linkifiers.js';
import { finishImage, finishLink, linkPreviews, playInPlace, showAddress } from '../links/link-tokens.js';
import { hrefOf } from '../links/links.js';
import { tidyNesting } from '../blocks/nesting.rule.js';
import { htmlToken, OWN_HTML, textToken } from '../own-html.js';
import { type Mention, renderingOf, type Rendering } from '../rendering.js';

/** Replaces markdown-it's pass over the paragraphs: the same, but tracks which of them are in a quote. */
export function inlineRule(state: StateCore): void {
  const rendering = renderingOf(state.env);
  let quotes = 0;
  for (const token of state.tokens) {
    if (token.type === 'blockquote_open') quotes++;
    else if (token.type === 'blockquote_close') quotes--;
    else if (token.type === 'inline' && token.children !== null) {
      rendering.inQuote = quotes > 0;
      state.md.inline.parse(token.content, state.md, state.env, token.children);
    }
  }
}

/**
 * Finishes the inline tokens of one block: finalises addresses, replaces emoji characters, emoticons and linkifier
 * matches, adds previews of linked uploaded pictures after their paragraph, and collects what callers need.
 */
export function finishBlock(tokens: readonly Token[], state: StateCore, rendering: Rendering): Token[] {
  const finished: Token[] = [];
  let quotes = 0;
  let previews: string[] = [];
  for (const token of tokens) {
    finished.push(token);
    if (token.type === 'blockquote_open') quotes++;
    else if (token.type === 'blockquote_close') quotes--;
    else if (token.type === 'inline' && token.children !== null) {
      rendering.inQuote = quotes > 0;
      token.children = finishInline(token.children, state, rendering, previews);
    } else if (token.type === 'paragraph_close' || token.type === 'heading_close' || token.type === 'table_close') {
      if (previews.length === 0) continue;
      const preview = new state.Token(OWN_HTML, '', 0);
      preview.block = true;
      preview.content = `${previews.join('\n')}\n`;
      finished.push(preview);
      previews = [];
    }
  }
  return finished;
}

/** The shortest HTML of an emoji: that of one with a name of two letters. */
const EMOJI_HTML_LENGTH_MIN = 70;
/** `<a href="http://">` and `</a>`. */
const LINK_TAGS_LENGTH = 22;

/**
 * Outcome of a link: one without an address stays as written. One inside a link, `[<https://…>](…)`, becomes its text,
 * and so does an address in running text once the message has all the HTML it may have.
 */
type LinkRole = 'link' | 'nowhere' | 'inner';

function linkRole(opening: Token, around: readonly LinkRole[], rendering: Rendering): LinkRole {
  if (around.includes('link')) return 'inner';
  const href = String(opening.attrGet('href') ?? '');
  if (href === '') return 'nowhere';
  return opening.info !== 'auto' || rendering.spendHtml(href.length + LINK_TAGS_LENGTH) ? 'link' : 'inner';
}

function finishInline(children: Token[], state: StateCore, rendering: Rendering, previews: string[]): Token[] {
  tidyNesting(children);
  const finished: Token[] = [];
  const links: LinkRole[] = [];
  let linkStart = 0;
  for (const token of children) {
    switch (token.type) {
      case 'link_open': {
        const role = linkRole(token, links, rendering);
        links.push(role);
        if (role === 'nowhere') finished.push(textToken('[', state));
        if (role !== 'link') continue;
        linkStart = finished.length;
        token.meta = { written: String(token.attrGet('href') ?? '') };
        finishLink(token, rendering);
        break;
      }
      case 'link_close': {
        const role = links.pop();
        if (role === 'nowhere') finished.push(textToken(']()', state));
        if (role !== 'link' || playInPlace(finished, linkStart, state, rendering)) continue;
        showAddress(finished, linkStart, state);
        previews.push(...linkPreviews(finished, linkStart, state, rendering));
        break;
      }
      case 'image':
        finished.push(...finishImage(token, links.includes('link'), state, rendering));
        rendering.text += ' ';
        continue;
      case 'softbreak':
      case 'hardbreak':
        rendering.text += '\n';
        break;
      case 'text':
        if (!links.includes('link')) rendering.text += token.content;
        if (replaceText(token, links.includes('link'), state, rendering, finished)) continue;
        break;
      case OWN_HTML:
        if (token.markup !== '' && !rendering.spendMarkup(token.content)) {
          rendering.text += token.markup;
          finished.push(textToken(token.markup, state));
          continue;
        }
        if (token.meta !== null) rendering.tell(token.meta['mention'] as Mention);
        rendering.text += ' ';
        break;
      default:
        // Words on both sides of code or a mention must not be joined into an alert word.
        if (token.nesting === 0) rendering.text += ' ';
    }
    finished.push(token);
  }
  rendering.text += '\n';
  return finished;
}

/** Appends the replacement of a text token to `finished`; false when there is none. */
function replaceText(
  token: Token,
  inLink: boolean,
  state: StateCore,
  rendering: Rendering,
  finished: Token[],
): boolean {
  const text = token.content;
  const pieces = replacementsIn(text, inLink, startsWord(finished.at(-1)), rendering);
  if (pieces.length === 0) return false;
  let at = 0;
  for (const piece of pieces) {
    if (piece.start < at) continue; // Overlaps an earlier replacement.
    const html = piece.html();
    if (!rendering.spendMarkup(html)) break;
    if (piece.isLink) rendering.hasLink = true;
    if (piece.start > at) finished.push(textToken(text.slice(at, piece.start), state));
    finished.push(htmlToken(html, state));
    at = piece.end;
  }
  if (at === 0) return false;
  if (at < text.length) finished.push(textToken(text.slice(at), state));
  return true;
}

/** Whether text after the token begins a word: there is no token, it ends a line, or it opens bold text or the like. */
function startsWord(before: Token | undefined): boolean {
  return before === undefined || before.nesting === 1 || before.type === 'softbreak' || before.type === 'hardbreak';
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly html: () => string;
  readonly isLink: boolean;
}

/** In the order of the text. When a linkifier and an emoji overlap, the linkifier wins. */
function replacementsIn(text: string, inLink: boolean, isWordStart: boolean, rendering: Rendering): Replacement[] {
  if (rendering.markupLeft === 0) return [];
  const found = inLink ? [] : linksIn(text, rendering);
  const links = found.length;
  const most = links + Math.ceil(rendering.markupLeft / EMOJI_HTML_LENGTH_MIN);
  if (MAYBE_EMOJI.test(text)) collectEmoji(text, EMOJI_SEQUENCE, codeOfCharacters, found, most);
  if (rendering.world.translateEmoticons === true)
    collectEmoji(text, EMOTICON, codeOfEmoticon, found, most + found.length - links, isWordStart ? 0 : 1);
  if (links > 0 && found.length > links) return withoutOverlaps(found);
  return found.sort((a, b) => a.start - b.start);
}

function linksIn(text: string, rendering: Rendering): Replacement[] {
  const { linkifiers, realmUrl } = rendering.world;
  if (linkifiers === undefined || linkifiers.length === 0) return [];
  const matches = linkifyMatches(text, linkifiers, rendering.linkifierMatchesLeft, rendering.linkifierBudget);
  rendering.linkifierMatchesLeft -= matches.length;
  return matches.map(({ start, end, text: shown, url }) => {
    const html = () => `${openTag('a', { href: hrefOf(url, realmUrl) })}${escapeText(shown)}</a>`;
    return { start, end, html, isLink: true };
  });
}

/** Collects the first emoji of the text, until there are `most` replacements: more than may be shown. */
function collectEmoji(
  text: string,
  pattern: RegExp,
  codeOf: (match: string) => string | undefined,
  found: Replacement[],
  most: number,
  from = 0,
): void {
  for (const match of text.matchAll(pattern)) {
    if (found.length >= most) return;
    if (match.index < from) continue;
    const code = codeOf(match[0]);
    const name = code === undefined ? undefined : emojiNamesByCode[code]?.[0];
    if (code === undefined || name === undefined) continue;
    const end = match.index + match[0].length;
    found.push({ start: match.index, end, html: () => emojiHtml(code, name), isLink: false });
  }
}

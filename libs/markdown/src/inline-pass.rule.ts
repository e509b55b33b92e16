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
import { openTag, escapeText } from './html.js';
import { linkifyMatches, withoutOverlaps } from './linkifiers.js';
import { hrefOf, uploadPathId } from './links.js';
import { embeddedHtml, isImagePath, previewHtml, soundHtml } from './media.js';
import { tidyNesting } from './nesting.rule.js';
import { OWN_HTML } from './own-html.js';
import { type Mention, renderingOf, type Rendering } from './rendering.js';

/** In the place of markdown-it's own pass over the paragraphs: the same, and knows which of them stand in a quote. */
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
 * The last pass, over finished inline tokens: addresses get their final form, emoji characters, emoticons and linkifier matches become
 * what they mean, links to uploaded pictures get a preview behind their paragraph, and what callers want to know is collected.
 */
export function finishRule(state: StateCore): void {
  const rendering = renderingOf(state.env);
  const tokens: Token[] = [];
  let quotes = 0;
  let previews: string[] = [];
  let hasPreviews = false;
  for (const token of state.tokens) {
    tokens.push(token);
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
      tokens.push(preview);
      previews = [];
      hasPreviews = true;
    }
  }
  if (hasPreviews) state.tokens = tokens;
}

function finishInline(children: Token[], state: StateCore, rendering: Rendering, previews: string[]): Token[] {
  tidyNesting(children);
  const finished: Token[] = [];
  let linkDepth = 0;
  let linkStart = 0;
  let leadsNowhere = false;
  for (const token of children) {
    switch (token.type) {
      case 'link_open':
        leadsNowhere = token.attrGet('href') === '';
        if (leadsNowhere) {
          finished.push(textToken('[', state));
          continue;
        }
        linkDepth++;
        linkStart = finished.length;
        token.meta = { written: String(token.attrGet('href') ?? '') };
        finishLink(token, rendering, previews);
        break;
      case 'link_close':
        if (leadsNowhere) {
          finished.push(textToken(']()', state));
          continue;
        }
        linkDepth--;
        if (playInPlace(finished, linkStart, state, rendering)) continue;
        showAddress(finished, linkStart, state);
        break;
      case 'image':
        finished.push(...finishImage(token, linkDepth > 0, state, rendering));
        rendering.text += ' ';
        continue;
      case 'softbreak':
      case 'hardbreak':
        rendering.text += '\n';
        break;
      case 'text':
        if (linkDepth === 0) rendering.text += token.content;
        if (replaceText(token, linkDepth > 0, state, rendering, finished)) continue;
        break;
      case OWN_HTML:
        if (token.meta !== null) rendering.tell(token.meta['mention'] as Mention);
        rendering.text += ' ';
        break;
      default:
        // Words on both sides of code or a mention must not grow together into an alert word.
        if (token.nesting === 0) rendering.text += ' ';
    }
    finished.push(token);
  }
  rendering.text += '\n';
  return finished;
}

/** The address of a link as it was before it got its final form. */
function writtenAddress(token: Token | undefined): string {
  return (token?.meta as { readonly written?: string } | null | undefined)?.written ?? '';
}

/** Puts a player in the place of a link to an uploaded sound, which begins at `start`. */
function playInPlace(tokens: Token[], start: number, state: StateCore, rendering: Rendering): boolean {
  const href = String(tokens[start]?.attrGet('href') ?? '');
  const pathId = uploadPathId(href);
  if (pathId === undefined) return false;
  const shown = state.md.renderer.renderInlineAsText(tokens.slice(start + 1), state.md.options, state.env).trim();
  const player = soundHtml(href, shown === writtenAddress(tokens[start]) ? '' : shown, pathId, rendering);
  if (player === undefined) return false;
  tokens.length = start;
  tokens.push(htmlToken(player, state));
  return true;
}

/** A link that shows nothing, from its opening token at `start` on, shows where it leads. */
function showAddress(tokens: Token[], start: number, state: StateCore): void {
  const shown = tokens.slice(start + 1);
  if (shown.some(({ type, content }) => type !== 'text' || content.trim() !== '')) return;
  tokens.length = start + 1;
  tokens.push(textToken(writtenAddress(tokens[start]), state));
}

function finishLink(token: Token, rendering: Rendering, previews: string[]): void {
  const href = hrefOf(String(token.attrGet('href') ?? ''), rendering.world.realmUrl);
  token.attrSet('href', href);
  rendering.hasLink = true;
  const pathId = uploadPathId(href);
  if (pathId !== undefined) rendering.uploads.add(pathId);
  if (isImagePath(href)) rendering.hasImage = true;
  if (pathId === undefined) return;
  const preview = previewHtml(href, pathId, rendering);
  if (preview !== undefined) previews.push(preview);
}

/** Own pictures and sounds are shown in place; everything else is a link, or in a link what that link says. */
function finishImage(token: Token, inLink: boolean, state: StateCore, rendering: Rendering): Token[] {
  const src = String(token.attrGet('src') ?? '');
  const alt = state.md.renderer.renderInlineAsText(token.children ?? [], state.md.options, state.env);
  if (src === '') return [textToken(`![${alt}]()`, state)];
  const href = hrefOf(src, rendering.world.realmUrl);
  const pathId = uploadPathId(href);
  if (pathId !== undefined) rendering.uploads.add(pathId);
  if (isImagePath(href)) rendering.hasImage = true;
  const embedded = pathId === undefined ? undefined : embeddedHtml(href, alt, pathId, rendering);
  if (embedded !== undefined) return [htmlToken(embedded, state)];
  rendering.hasLink = true;
  const shown = alt === '' ? href : alt;
  if (inLink) return [textToken(shown, state)];
  return [htmlToken(`${openTag('a', { href })}${escapeText(shown)}</a>`, state)];
}

/** Puts what a text token turns into behind `finished`; false when it stays as it is. */
function replaceText(
  token: Token,
  inLink: boolean,
  state: StateCore,
  rendering: Rendering,
  finished: Token[],
): boolean {
  const text = token.content;
  const pieces = replacementsIn(text, inLink, rendering);
  if (pieces.length === 0) return false;
  let at = 0;
  for (const piece of pieces) {
    if (piece.start < at) continue; // overlaps one that stands
    if (piece.start > at) finished.push(textToken(text.slice(at, piece.start), state));
    finished.push(htmlToken(piece.html, state));
    at = piece.end;
  }
  if (at < text.length) finished.push(textToken(text.slice(at), state));
  return true;
}

function textToken(content: string, state: StateCore): Token {
  const token = new state.Token('text', '', 0);
  token.content = content;
  return token;
}

function htmlToken(html: string, state: StateCore): Token {
  const token = new state.Token(OWN_HTML, '', 0);
  token.content = html;
  return token;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly html: string;
}

/** In the order of the text. Linkifiers come before emoji: where they overlap, the linkifier's stands. */
function replacementsIn(text: string, inLink: boolean, rendering: Rendering): Replacement[] {
  const found = inLink ? [] : linksIn(text, rendering);
  const links = found.length;
  if (MAYBE_EMOJI.test(text)) collectEmoji(text, EMOJI_SEQUENCE, codeOfCharacters, found);
  if (rendering.world.translateEmoticons === true) collectEmoji(text, EMOTICON, codeOfEmoticon, found);
  if (links > 0 && found.length > links) return withoutOverlaps(found);
  return found.sort((a, b) => a.start - b.start);
}

function linksIn(text: string, rendering: Rendering): Replacement[] {
  const { linkifiers, realmUrl } = rendering.world;
  if (linkifiers === undefined || linkifiers.length === 0) return [];
  const matches = linkifyMatches(text, linkifiers, rendering.linkifierMatchesLeft, rendering.linkifierBudget);
  rendering.linkifierMatchesLeft -= matches.length;
  if (matches.length > 0) rendering.hasLink = true;
  return matches.map(({ start, end, text: shown, url }) => {
    const html = `${openTag('a', { href: hrefOf(url, realmUrl) })}${escapeText(shown)}</a>`;
    return { start, end, html };
  });
}

function collectEmoji(
  text: string,
  pattern: RegExp,
  codeOf: (match: string) => string | undefined,
  found: Replacement[],
): void {
  for (const match of text.matchAll(pattern)) {
    const code = codeOf(match[0]);
    const name = code === undefined ? undefined : emojiNamesByCode[code]?.[0];
    if (code === undefined || name === undefined) continue;
    found.push({ start: match.index, end: match.index + match[0].length, html: emojiHtml(code, name) });
  }
}

import type { StateCore, Token } from 'markdown-it';
import { escapeText, openTag } from '../html.js';
import { hrefOf, uploadPathId } from './links.js';
import { embeddedHtml, isImagePath, previewHtml, soundHtml } from './media.js';
import { htmlToken, OWN_HTML, textToken } from '../own-html.js';
import type { Rendering } from '../rendering.js';
import { videoPreviewHtml } from './videos.js';

/** The address of a link before finalisation. */
function writtenAddress(token: Token | undefined): string {
  return (token?.meta as { readonly written?: string } | null | undefined)?.written ?? '';
}

/**
 * Replaces a link to an uploaded sound, which begins at `start`, by a player, unless it contains mentions or pictures.
 */
export function playInPlace(tokens: Token[], start: number, state: StateCore, rendering: Rendering): boolean {
  const href = String(tokens[start]?.attrGet('href') ?? '');
  const pathId = uploadPathId(href);
  if (pathId === undefined || tokens.slice(start + 1).some(isMoreThanText)) return false;
  const player = soundHtml(href, linkText(tokens, start, state), pathId, rendering);
  if (player === undefined) return false;
  tokens.length = start;
  tokens.push(htmlToken(player, state));
  return true;
}

/** Text of the link that begins at `start`; "" when it is the address. */
function linkText(tokens: readonly Token[], start: number, state: StateCore): string {
  const shown = state.md.renderer.renderInlineAsText(tokens.slice(start + 1), state.md.options, state.env).trim();
  return shown === writtenAddress(tokens[start]) ? '' : shown;
}

function isMoreThanText({ type, meta, content }: Token): boolean {
  return type === OWN_HTML && (meta !== null || !content.startsWith('<span '));
}

/** Shows the address of a link without text, from its opening token at `start` on. */
export function showAddress(tokens: Token[], start: number, state: StateCore): void {
  const shown = tokens.slice(start + 1);
  if (shown.some(({ type, content }) => type !== 'text' || content.trim() !== '')) return;
  tokens.length = start + 1;
  tokens.push(textToken(writtenAddress(tokens[start]), state));
}

export function finishLink(token: Token, rendering: Rendering): void {
  const href = hrefOf(String(token.attrGet('href') ?? ''), rendering.world.realmUrl);
  token.attrSet('href', href);
  rendering.hasLink = true;
  const pathId = uploadPathId(href);
  if (pathId !== undefined) rendering.addUpload(pathId);
  if (isImagePath(href)) rendering.hasImage = true;
}

/** Preview of the uploaded picture or the video to which the link that begins at `start` leads, if any. */
export function linkPreviews(
  tokens: readonly Token[],
  start: number,
  state: StateCore,
  rendering: Rendering,
): readonly string[] {
  const href = String(tokens[start]?.attrGet('href') ?? '');
  const pathId = uploadPathId(href);
  const text = (): string => (tokens.slice(start + 1).some(isMoreThanText) ? '' : linkText(tokens, start, state));
  const preview =
    pathId === undefined ? videoPreviewHtml(href, text, rendering) : previewHtml(href, text(), pathId, rendering);
  return preview === undefined ? [] : [preview];
}

/** Uploaded pictures and sounds are shown in place; everything else is a link, or inside a link its text. */
export function finishImage(token: Token, inLink: boolean, state: StateCore, rendering: Rendering): Token[] {
  const src = String(token.attrGet('src') ?? '');
  const alt = state.md.renderer.renderInlineAsText(token.children ?? [], state.md.options, state.env);
  if (src === '') return [textToken(`![${alt}]()`, state)];
  const href = hrefOf(src, rendering.world.realmUrl);
  const pathId = uploadPathId(href);
  if (pathId !== undefined) rendering.addUpload(pathId);
  if (isImagePath(href)) rendering.hasImage = true;
  const embedded = pathId === undefined ? undefined : embeddedHtml(href, alt, pathId, rendering);
  if (embedded !== undefined) return [htmlToken(embedded, state)];
  rendering.hasLink = true;
  const shown = alt === '' ? href : alt;
  if (inLink) return [textToken(shown, state)];
  return [htmlToken(`${openTag('a', { href })}${escapeText(shown)}</a>`, state)];
}

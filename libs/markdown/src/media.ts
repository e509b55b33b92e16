import { openTag } from './html.js';
import type { Rendering } from './rendering.js';

const IMAGE = /\.(?:avif|bmp|gif|heic|jpe?g|png|tiff?|webp)$/i;
const VIDEO = /\.(?:mp4|webm|mov)$/i;
const AUDIO = /\.(?:aac|flac|m4a|mp3|oga|ogg|opus|wav)$/i;

/** Whether an address looks like a picture's. SVG is not among them: it can carry scripts, and is never shown inline. */
export function isImagePath(href: string): boolean {
  return IMAGE.test(href.replace(/[?#].*$/s, ''));
}

function fileName(pathId: string): string {
  return pathId.slice(pathId.lastIndexOf('/') + 1);
}

/** What follows the paragraph of a link to an uploaded picture or video; `undefined` for other files and beyond the limit. */
export function previewHtml(href: string, pathId: string, rendering: Rendering): string | undefined {
  const title = fileName(pathId);
  if (VIDEO.test(pathId) && rendering.spendPreview()) {
    const video = `${openTag('video', { preload: 'metadata', src: href })}</video>`;
    return `<div class="message_inline_image message_inline_video">${openTag('a', { href, title })}${video}</a></div>`;
  }
  if (!IMAGE.test(pathId) || !rendering.spendPreview()) return undefined;
  const facts = rendering.world.upload?.(pathId);
  const image = openTag('img', { ...originalFacts(facts), src: facts?.thumbnailUrl ?? href });
  return `<div class="message_inline_image">${openTag('a', { href, title })}${image}</a></div>`;
}

/** `![alt](…)`: own pictures and sounds are shown in place, everything else is a link. */
export function embeddedHtml(
  src: string,
  alt: string,
  pathId: string | undefined,
  rendering: Rendering,
): string | undefined {
  if (pathId === undefined || !rendering.spendPreview()) return undefined;
  if (AUDIO.test(pathId)) {
    return `${openTag('audio controls', { preload: 'metadata', src, title: alt === '' ? fileName(pathId) : alt })}</audio>`;
  }
  if (!IMAGE.test(pathId)) return undefined;
  const facts = rendering.world.upload?.(pathId);
  return openTag('img', {
    alt,
    class: 'inline-image',
    ...originalFacts(facts),
    'data-original-src': src,
    src: facts?.thumbnailUrl ?? src,
  });
}

function originalFacts(
  facts: { readonly contentType?: string; readonly width?: number; readonly height?: number } | undefined,
): Record<string, string | undefined> {
  return {
    'data-original-content-type': facts?.contentType,
    'data-original-dimensions':
      facts?.width === undefined || facts.height === undefined ? undefined : `${facts.width}x${facts.height}`,
  };
}

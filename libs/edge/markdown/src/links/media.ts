import { openTag } from '../html.js';
import type { Rendering } from '../rendering.js';
import type { UploadMetadata } from '../world.js';
import { videoFileHtml } from './videos.js';

const IMAGE = /\.(?:avif|bmp|gif|heic|jpe?g|png|tiff?|webp)$/i;
const VIDEO = /\.(?:mp4|webm|mov)$/i;
const AUDIO = /\.(?:aac|flac|m4a|mp3|oga|ogg|opus|wav)$/i;

/**
 * Whether an address is a picture's, by its extension. SVG is excluded: it can contain scripts, and is never shown
 * inline.
 */
export function isImagePath(href: string): boolean {
  return IMAGE.test(href.replace(/[?#].*$/s, ''));
}

function fileName(pathId: string): string {
  return pathId.slice(pathId.lastIndexOf('/') + 1);
}

type Kind = 'image' | 'video' | 'audio';

/**
 * How a file is shown, if at all: by its content where that is known to be a picture, a sound or a video, else sounds and
 * videos by their name, as at other hosts (rules.md §14). What cannot be played is a player that stays silent; a picture
 * that cannot be drawn would be a hole in the message.
 */
function kindOf(pathId: string, facts: UploadMetadata | undefined): Kind | undefined {
  if (facts === undefined) return undefined;
  const { contentType } = facts;
  const [, known] = /^(image|video|audio)\/(?!svg)/i.exec(contentType ?? '') ?? [];
  if (known !== undefined) return known.toLowerCase() as Kind;
  if (VIDEO.test(pathId)) return 'video';
  if (AUDIO.test(pathId)) return 'audio';
  return contentType === undefined && IMAGE.test(pathId) ? 'image' : undefined;
}

/** Properties of an upload; undefined when the path is that of none. Without a lookup each path counts as an upload's. */
function uploadOf(pathId: string, { world }: Rendering): UploadMetadata | undefined {
  return world.upload === undefined ? {} : world.upload(pathId);
}

/**
 * Preview after the paragraph of a link to an uploaded picture or video, with the link's text, or else the file's name,
 * as its title; `undefined` for other files and beyond the limit.
 */
export function previewHtml(href: string, text: string, pathId: string, rendering: Rendering): string | undefined {
  const title = text === '' ? fileName(pathId) : text;
  const facts = uploadOf(pathId, rendering);
  const kind = kindOf(pathId, facts);
  if ((kind !== 'video' && kind !== 'image') || !rendering.spendPreviewOf(pathId)) return undefined;
  if (kind === 'video') return videoFileHtml(href, title);
  const image = openTag('img', { ...originalFacts(facts), src: facts?.thumbnailUrl ?? href });
  return `<div class="message_inline_image">${openTag('a', { href, title })}${image}</a></div>`;
}

/** `![alt](…)` of an uploaded picture or sound; `undefined` for other files. */
export function embeddedHtml(src: string, alt: string, pathId: string, rendering: Rendering): string | undefined {
  const facts = uploadOf(pathId, rendering);
  const kind = kindOf(pathId, facts);
  if ((kind !== 'audio' && kind !== 'image') || !rendering.spendPreview()) return undefined;
  if (kind === 'audio') return playerHtml(src, alt, pathId);
  return openTag('img', {
    alt,
    class: 'inline-image',
    ...originalFacts(facts),
    'data-original-src': src,
    src: facts?.thumbnailUrl ?? src,
  });
}

/** Player in place of a link to an uploaded sound; `undefined` for other files and beyond the limit. */
export function soundHtml(src: string, shown: string, pathId: string, rendering: Rendering): string | undefined {
  const kind = kindOf(pathId, uploadOf(pathId, rendering));
  if (kind !== 'audio' || !rendering.spendPreviewOf(pathId)) return undefined;
  return playerHtml(src, shown, pathId);
}

function playerHtml(src: string, title: string, pathId: string): string {
  const named = title === '' ? fileName(pathId) : title;
  return `${openTag('audio controls', { preload: 'metadata', src, title: named })}</audio>`;
}

function originalFacts(facts: UploadMetadata | undefined): Record<string, string | undefined> {
  return {
    'data-animated': facts?.animated === true ? 'true' : undefined,
    'data-original-content-type': facts?.contentType,
    'data-original-dimensions':
      facts?.width === undefined || facts.height === undefined ? undefined : `${facts.width}x${facts.height}`,
  };
}

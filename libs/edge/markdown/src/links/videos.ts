import { openTag } from '../html.js';
import type { Rendering } from '../rendering.js';

/** A file at another host, by its name. A host may end like one: `https://clips.mov` is none. */
const FILE = /^https?:\/\/[^/?#]+\/(?:[^?#]*\/)?([^/?#]*\.(?:mp4|webm|mov))(?:[?#]|$)/i;
const YOUTUBE =
  /^https?:\/\/(?:youtu\.be\/|(?:[a-z]+\.)?youtube(?:-nocookie)?\.com\/(?:(?:embed|live|shorts|v)\/|watch\?(?:[^#]*&)?v=))([\w-]{11})(?![\w-])/i;
/** With the key of a video that is not listed, which its player asks for. */
const VIMEO =
  /^https?:\/\/(?:(?:www\.)?vimeo\.com\/(?:channels\/[\w-]+\/|groups\/[^/?#]+\/videos\/)?|player\.vimeo\.com\/video\/)(\d{1,15})(?:\/([\da-f]{1,40}))?\/?(?:[?#]|$)/i;

/** Clients show a preview by its picture; the address of Vimeo's is not known without fetching. */
const PLAY_PICTURE = '/static/video.png';

/**
 * Preview after the paragraph of a link to a video at another host, from the address alone: the server fetches nothing
 * (rules.md §14). `undefined` for other links and beyond the limit.
 */
export function videoPreviewHtml(href: string, text: () => string, rendering: Rendering): string | undefined {
  const [, file] = FILE.exec(href) ?? [];
  const embed = file === undefined ? (youtubeHtml(href) ?? vimeoHtml(href)) : undefined;
  if ((file ?? embed) === undefined || !rendering.spendPreviewOf(href)) return undefined;
  if (embed === undefined) return videoFileHtml(href, text() || (file ?? ''));
  rendering.hasImage = true;
  return embed;
}

/** A video that clients play in place. */
export function videoFileHtml(href: string, title: string): string {
  const video = `${openTag('video', { preload: 'metadata', src: href })}</video>`;
  return `<div class="message_inline_image message_inline_video">${openTag('a', { href, title })}${video}</a></div>`;
}

function youtubeHtml(href: string): string | undefined {
  const [, id] = YOUTUBE.exec(href) ?? [];
  if (id === undefined) return undefined;
  return embedHtml('youtube-video', id, href, `https://i.ytimg.com/vi/${id}/mqdefault.jpg`);
}

/** Clients put the player of an `embed-video` into a frame of its own. */
function vimeoHtml(href: string): string | undefined {
  const [, id, key] = VIMEO.exec(href) ?? [];
  if (id === undefined) return undefined;
  const src = `https://player.vimeo.com/video/${id}${key === undefined ? '' : `?h=${key}`}`;
  const size = { width: '640', height: '360' };
  const player = `${openTag('iframe', { src, ...size, allow: 'autoplay; fullscreen; picture-in-picture' })}</iframe>`;
  return embedHtml('embed-video', player, href, PLAY_PICTURE);
}

function embedHtml(kind: string, dataId: string, href: string, src: string): string {
  const link = openTag('a', { 'data-id': dataId, href });
  return `<div class="${kind} message_inline_image">${link}${openTag('img', { src })}</a></div>`;
}

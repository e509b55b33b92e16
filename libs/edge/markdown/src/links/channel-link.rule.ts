import type { StateInline } from 'markdown-it';
import { escapeText, openTag } from '../html.js';
import { channelLinkPath } from './links.js';
import { mayBegin } from '../inline/mention.rule.js';
import { pushHtml } from '../own-html.js';
import { renderingOf } from '../rendering.js';
import type { MentionableChannel, RenderWorld } from '../world.js';

const HASH = 35;
const LINK = /#\*\*([^*\n]{1,400})\*\*/y;
const AT_MESSAGE = /^(.*)@(\d{1,15})$/;
const DEFAULT_EMPTY_TOPIC_NAME = 'general chat';

/** `#**channel**`, `#**channel>topic**`, `#**channel>topic@214**` */
export function channelLinkRule(state: StateInline, silent: boolean): boolean {
  const start = state.pos;
  if (state.src.charCodeAt(start) !== HASH || state.linkLevel > 0 || !mayBegin(state.src, start)) return false;
  LINK.lastIndex = start;
  const match = LINK.exec(state.src);
  if (match === null || LINK.lastIndex > state.posMax) return false;
  const html = linkHtml(match[1] ?? '', renderingOf(state.env).world);
  if (html === undefined) return false;
  if (!silent) pushHtml(state, html, match[0]);
  state.pos = start + match[0].length;
  return true;
}

function linkHtml(target: string, world: RenderWorld): string | undefined {
  const channel = world.channelByName(target);
  if (channel !== undefined) {
    return `${open('stream', channel, channelLinkPath(channel))}#${escapeText(channel.name)}</a>`;
  }
  const separator = target.indexOf('>');
  if (separator < 0) return undefined;
  const parent = world.channelByName(target.slice(0, separator));
  if (parent === undefined) return undefined;
  return topicOrMessageHtml(parent, target.slice(separator + 1), world);
}

function topicOrMessageHtml(channel: MentionableChannel, rest: string, world: RenderWorld): string {
  const message = AT_MESSAGE.exec(rest);
  const topic = message?.[1] ?? rest;
  const shownTopic =
    topic === '' ? `<em>${escapeText(world.emptyTopicName ?? DEFAULT_EMPTY_TOPIC_NAME)}</em>` : escapeText(topic);
  const label = `#${escapeText(channel.name)} &gt; ${shownTopic}`;
  if (message !== null) {
    const href = channelLinkPath(channel, { topic, nearMessageId: Number(message[2]) });
    return `${openTag('a', { class: 'message-link', href })}${label} @ 💬</a>`;
  }
  const withMessageId = world.latestMessageId?.(channel.id, topic);
  const path = channelLinkPath(channel, withMessageId === undefined ? { topic } : { topic, withMessageId });
  return `${open('stream-topic', channel, path)}${label}</a>`;
}

function open(kind: 'stream' | 'stream-topic', channel: MentionableChannel, href: string): string {
  return openTag('a', { class: kind, 'data-stream-id': String(channel.id), href });
}

import { autolinks } from './autolinks.js';
import { type Linkifier, linkifyMatches } from './linkifiers.js';
import { isSafeUrl } from './links.js';

export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

/** The `topic_links` of a message: matches of linkifiers and addresses in its topic, in the order of the text, none inside another. */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const found = linkifiers.length === 0 ? [] : linkifyMatches(topic, linkifiers);
  if (autolinks.test(topic)) {
    for (const { index, lastIndex, raw, url } of autolinks.match(topic) ?? []) {
      if (isSafeUrl(url)) found.push({ start: index, end: lastIndex, text: raw, url });
    }
  }
  const links: TopicLink[] = [];
  let at = 0;
  for (const { start, end, text, url } of found.sort((a, b) => a.start - b.start)) {
    if (start < at) continue;
    links.push({ text, url });
    at = end;
  }
  return links;
}

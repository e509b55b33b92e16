import { autolinks } from './autolinks.js';
import { type Linkifier, linkifyMatches, withoutOverlaps } from './linkifiers.js';
import { isSafeUrl } from './links.js';

export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

/** Topics are short: no more of them fits. */
const MATCHES_LIMIT = 60;

/**
 * The `topic_links` of a message: matches of linkifiers and addresses in its topic, in the order of the text. None overlaps another:
 * the linkifier that comes first has precedence, and addresses come last.
 */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const found = linkifiers.length === 0 ? [] : linkifyMatches(topic, linkifiers, MATCHES_LIMIT);
  if (autolinks.test(topic)) {
    for (const { index, lastIndex, raw, url } of autolinks.match(topic)) {
      if (isSafeUrl(url)) found.push({ start: index, end: lastIndex, text: raw, url });
    }
  }
  return withoutOverlaps(found).map(({ text, url }) => ({ text, url }));
}

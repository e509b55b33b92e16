import { autolinks } from './autolinks.js';
import { type Linkifier, linkifyMatches, withoutOverlaps } from './linkifiers.js';
import { hrefOf, isSafeUrl } from './links.js';
import { StepBudget } from './pattern-program.js';

export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

/** Topics are short: no more of them fits. */
const MATCHES_LIMIT = 60;
/** A page of messages may have a thousand topics. */
const STEPS_LIMIT = 50_000;
/** The messages of a page share a few topics; more than these are looked through again. */
const REMEMBERED_LIMIT = 1_000;

/** What was found in which topic, as long as the linkifiers are the same. */
const remembered = new WeakMap<readonly Linkifier[], Map<string, readonly TopicLink[]>>();

/**
 * The `topic_links` of a message: matches of linkifiers and addresses in its topic, in the order of the text. None overlaps another:
 * the linkifier that comes first has precedence, and addresses come last. The list of linkifiers must never change.
 */
export function topicLinks(topic: string, linkifiers: readonly Linkifier[]): readonly TopicLink[] {
  const known = remembered.get(linkifiers) ?? new Map<string, readonly TopicLink[]>();
  remembered.set(linkifiers, known);
  let links = known.get(topic);
  if (links === undefined) {
    if (known.size >= REMEMBERED_LIMIT) known.clear();
    links = linksIn(topic, linkifiers);
    known.set(topic, links);
  }
  return links;
}

function linksIn(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const matches = linkifyMatches(topic, linkifiers, MATCHES_LIMIT, new StepBudget(STEPS_LIMIT));
  const found = matches.map((match) => ({ ...match, url: hrefOf(match.url, '') }));
  if (autolinks.test(topic)) {
    for (const { index, lastIndex, raw, url } of autolinks.match(topic)) {
      if (isSafeUrl(url)) found.push({ start: index, end: lastIndex, text: raw, url });
    }
  }
  return withoutOverlaps(found).map(({ text, url }) => ({ text, url }));
}

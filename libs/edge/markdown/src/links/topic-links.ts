import { autolinks } from './autolinks.js';
import { type Linkifier, linkifyMatches, withoutOverlaps } from './linkifiers.js';
import { hrefOf, isSafeUrl } from './links.js';
import { LINKIFIER_STEPS_LIMIT } from '../rendering.js';
import { StepBudget } from './pattern-program.js';

export interface TopicLink {
  readonly text: string;
  readonly url: string;
}

/** No more matches fit into a topic. */
const MATCHES_LIMIT = 60;
/** A page of messages may have a thousand topics. */
const STEPS_LIMIT = 50_000;
/** The messages of a page share a few topics; the links of further topics are computed again. */
const REMEMBERED_LIMIT = 1_000;

/** Results by topic, for each list of linkifiers. */
const remembered = new WeakMap<readonly Linkifier[], Map<string, readonly TopicLink[]>>();

/**
 * The `topic_links` of a message: matches of linkifiers and addresses in its topic, in the order of the text. They do
 * not overlap: an earlier linkifier has precedence, and addresses come last. The list of linkifiers must not be
 * mutated.
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

/** What one linkifier finds in a message, in its order: also one that is not among those of the organization. */
export function linksBy(linkifier: Linkifier, text: string): readonly TopicLink[] {
  const matches = linkifyMatches(text, [linkifier], MATCHES_LIMIT, new StepBudget(LINKIFIER_STEPS_LIMIT));
  return matches.map((match) => ({ text: match.text, url: hrefOf(match.url, '') }));
}

function linksIn(topic: string, linkifiers: readonly Linkifier[]): TopicLink[] {
  const matches = linkifyMatches(topic, linkifiers, MATCHES_LIMIT, new StepBudget(STEPS_LIMIT));
  const found = matches.map((match) => ({ ...match, url: hrefOf(match.url, '') }));
  if (autolinks.test(topic)) {
    for (const { index, lastIndex, raw, url: address, schema } of autolinks.match(topic)) {
      // A bare host: servers answer to https today.
      const url = schema === '' ? address.replace(/^http:/, 'https:') : address;
      if (isSafeUrl(url)) found.push({ start: index, end: lastIndex, text: raw, url });
    }
  }
  return withoutOverlaps(found).map(({ text, url }) => ({ text, url }));
}

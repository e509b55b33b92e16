import { badRequest } from '#kernel';
import { EMPTY_TOPIC_DISPLAY_NAME, TOPIC_LENGTH_MAX } from './message-settings.js';

const ELLIPSIS = '...';
const RESOLVED_PREFIX = '✔ ';
const RESOLVED_PREFIXES = /^✔ [ ✔]*/;
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/**
 * Normalises a topic for storage: trimmed, the empty string for all spellings of the empty topic, and at most 60 code
 * points (rules.md §5, §10).
 * @throws Refusal BAD_REQUEST for forbidden characters
 */
export function normalizeTopic(raw: string): string {
  const topic = namedTopic(raw);
  if (topic === '') return '';
  const forbidden = FORBIDDEN.exec(topic);
  if (forbidden !== null) {
    const place = Array.from(topic.slice(0, forbidden.index)).length + 1;
    throw badRequest(`Invalid character in topic, at position ${place}!`);
  }
  return truncateTopic(topic);
}

/**
 * Normalises a topic for a look-up: every spelling of the empty topic becomes the empty string, and nothing else
 * changes.
 */
export function namedTopic(raw: string): string {
  const topic = raw.trim();
  return topic === '(no topic)' || topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : topic;
}

function truncateTopic(topic: string): string {
  if (topic.length <= TOPIC_LENGTH_MAX) return topic;
  const points = Array.from(topic);
  if (points.length <= TOPIC_LENGTH_MAX) return topic;
  return points.slice(0, TOPIC_LENGTH_MAX - ELLIPSIS.length).join('') + ELLIPSIS;
}

/**
 * @param policy the channel's policy (`topicsPolicyIn`)
 * @throws Refusal BAD_REQUEST with `empty_topic_display_name`
 */
export function assertTopicAllowed(topic: string, policy: string): void {
  const name = EMPTY_TOPIC_DISPLAY_NAME;
  const data = { empty_topic_display_name: name };
  if (topic === '' && policy === 'disable_empty_topic')
    throw badRequest(`Sending messages to the ${name} is not allowed in this channel.`, data);
  if (topic !== '' && policy === 'empty_topic_only')
    throw badRequest(`Only the ${name} topic is allowed in this channel.`, data);
}

export function isResolved(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX);
}

/** Whether a change of topic resolves or unresolves it, possibly beside other changes; undefined when neither. */
export function markOf(from: string, to: string): 'resolved' | 'unresolved' | undefined {
  if (isResolved(from) === isResolved(to)) return undefined;
  return isResolved(to) ? 'resolved' : 'unresolved';
}

/** The topic without the mark of resolved ones, and with it: one topic for its readers. The empty topic has no mark. */
export function formsOf(topic: string): readonly string[] {
  const unresolved = topic.replace(RESOLVED_PREFIXES, '');
  return unresolved === '' ? [topic] : [unresolved, truncateTopic(RESOLVED_PREFIX + unresolved)];
}

/** Whether the change only marks the topic as resolved or unresolved (rules.md §6). */
export function isResolution(from: string, to: string): boolean {
  if (isResolved(from)) return to === from.replace(RESOLVED_PREFIXES, '');
  return from !== '' && to === truncateTopic(RESOLVED_PREFIX + from);
}

/**
 * Whether the change would resolve the empty topic, under any of its names, which is impossible: it has no text to
 * mark.
 */
export function resolvesEmptyTopic(from: string, to: string): boolean {
  return from === '' && (to === '✔' || (isResolved(to) && namedTopic(to.replace(RESOLVED_PREFIXES, '')) === ''));
}

import type { QueueSettings } from '#feed';
import { topicLinks } from '#markdown';
import { EMPTY_TOPIC_DISPLAY_NAME } from './message-settings.js';

/** A topic as a client gets to see it: those that do not know the empty topic get its display name (rules.md §10). */
export function wireTopic(topic: string, allowEmptyTopicName: boolean): string {
  return topic === '' && !allowEmptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

/** The addresses in a topic (specification, "Message", `topic_links`). */
export function wireTopicLinks(topic: string): { text: string; url: string }[] {
  return topicLinks(topic, []);
}

/** Whether a queue's client knows the empty topic. */
export function allowsEmptyTopic({ capabilities }: Pick<QueueSettings, 'capabilities'>): boolean {
  return capabilities.includes('empty_topic_name');
}

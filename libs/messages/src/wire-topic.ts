import type { QueueSettings } from '#feed';
import { topicLinks } from '#markdown';
import type { Directory } from '#organization';
import { EMPTY_TOPIC_DISPLAY_NAME } from './message-settings.js';

/** A topic as a client gets to see it: those that do not know the empty topic get its display name (rules.md §10). */
export function wireTopic(topic: string, allowEmptyTopicName: boolean): string {
  return topic === '' && !allowEmptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

/** What a topic links to, by the linkifiers that there are now (specification, "Message", `topic_links`). */
export function wireTopicLinks(
  { linkifiers }: Pick<Directory, 'linkifiers'>,
  topic: string,
): readonly { readonly text: string; readonly url: string }[] {
  return topicLinks(topic, linkifiers.inOrder);
}

/** Whether a queue's client knows the empty topic. */
export function allowsEmptyTopic({ capabilities }: Pick<QueueSettings, 'capabilities'>): boolean {
  return capabilities.includes('empty_topic_name');
}

import type { QueueSettings } from '#feed';
import { topicLinks } from '#markdown';
import type { Directory } from '#people';
import { linkifiersPart } from '#realm/model';
import { list, named, object, text, type Wire } from '#wire';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../model/message-settings.js';

/** A topic in wire format: clients that do not support the empty topic get its display name (rules.md §10). */
export function wireTopic(topic: string, allowEmptyTopicName: boolean): string {
  return topic === '' && !allowEmptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

export const TopicLinksSchema = list(named('TopicLink', object({ text, url: text })));

/** Links in a topic, by the current linkifiers (objects.md, "Message", `topic_links`). */
export function wireTopicLinks(directory: Pick<Directory, 'of'>, topic: string): Wire<typeof TopicLinksSchema> {
  return topicLinks(topic, directory.of(linkifiersPart).inOrder);
}

/** Whether a queue's client supports the empty topic. */
export function allowsEmptyTopic({ capabilities }: Pick<QueueSettings, 'capabilities'>): boolean {
  return capabilities.includes('empty_topic_name');
}

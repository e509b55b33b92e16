import type { QueueSettings } from '#feed';
import { EMPTY_TOPIC_DISPLAY_NAME } from './message-settings.js';

/** A topic as a client gets to see it: those that do not know the empty topic get its display name (rules.md §10). */
export function wireTopic(topic: string, allowEmptyTopicName: boolean): string {
  return topic === '' && !allowEmptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

/** Whether a queue's client knows the empty topic. */
export function allowsEmptyTopic({ capabilities }: Pick<QueueSettings, 'capabilities'>): boolean {
  return capabilities.includes('empty_topic_name');
}

/** How two topics of a channel are compared: case does not count. */
export function topicKeyOf(topic: string): string {
  return topic.toLowerCase();
}

/** Key by which topics of a channel are compared: regardless of case. */
export function topicKeyOf(topic: string): string {
  return topic.toLowerCase();
}

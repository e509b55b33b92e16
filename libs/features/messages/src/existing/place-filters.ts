import { where, type Filter } from '#read-store';
import { channelConversation } from '../model/place.js';

export const IN_CHANNELS: Filter = where.range('conversation', { gte: 'c:', lt: 'c;' });
export const DIRECT: Filter = where.range('conversation', { gte: 'd:', lt: 'd;' });

/** The messages of a topic. */
export function inTopic(channelId: number, topicKey: string): Filter {
  return where.and(where.eq('conversation', channelConversation(channelId)), where.eq('topicKey', topicKey));
}

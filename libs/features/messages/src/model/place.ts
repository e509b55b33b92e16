import type { ChannelPlace, MessageSent, Place } from './messages.events.js';

export { topicKeyOf } from '#preferences/model';

export function channelConversation(channelId: number): string {
  return `c:${channelId}`;
}

/** @param participants all of them, ascending */
export function directConversation(participants: readonly number[]): string {
  return `d:${participants.join(',')}`;
}

export function conversationOf(place: Place | { channelId?: number; to?: readonly number[] }): string {
  if ('channelId' in place && place.channelId !== undefined) return channelConversation(place.channelId);
  if ('to' in place && place.to !== undefined) return directConversation(place.to);
  throw new Error('A message stands in a channel or in a direct conversation.');
}

/** The place that a message was sent to. */
export function placeOf({ channelId, topic, to }: Pick<MessageSent['data'], 'channelId' | 'topic' | 'to'>): Place {
  return channelId === undefined ? { to: to ?? [] } : { channelId, topic: topic ?? '' };
}

/** Topic of a message after a move. When the topic stays, each message keeps its own spelling of it. */
export function topicAfterMove(topic: string, { from, to }: Record<'from' | 'to', ChannelPlace>): string {
  return from.topic === to.topic ? topic : to.topic;
}

export type ParsedConversation = { readonly channelId: number } | { readonly participants: readonly number[] };

export function parseConversation(conversation: string): ParsedConversation {
  const ids = conversation.slice(2);
  return conversation.startsWith('c:') ? { channelId: Number(ids) } : { participants: ids.split(',').map(Number) };
}

export function isChannelPlace(place: Place): place is ChannelPlace {
  return 'channelId' in place;
}

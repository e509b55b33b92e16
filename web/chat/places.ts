/** Names and addresses of conversations. */
import type { ChatState } from './model/chat-state.js';
import { channelHash, directHash } from './model/narrow.js';
import type { Place } from './model/place.js';
import { words } from '../shared/words.js';

export function hashOf(place: Place, { channels, meId }: Pick<ChatState, 'channels' | 'meId'>, near?: number): string {
  if (place.kind === 'topic')
    return channelHash(place.channelId, channels.get(place.channelId)?.name ?? '', place.topic, near);
  return directHash(place.userIds.length === 0 ? [meId] : [...place.userIds, meId].sort((a, b) => a - b), near);
}

export const topicName = (topic: string): string => (topic === '' ? words.noTopic : topic);

export const personName = ({ people }: Pick<ChatState, 'people'>, userId: number): string =>
  people.get(userId)?.full_name ?? words.unknownPerson;

/** Names that several people have: their IDs tell these apart. */
export function ambiguousNames(people: readonly { readonly full_name: string }[]): ReadonlySet<string> {
  const [seen, several] = [new Set<string>(), new Set<string>()];
  for (const { full_name: name } of people) (seen.has(name) ? several : seen).add(name);
  return several;
}

export function directName(state: Pick<ChatState, 'people'>, userIds: readonly number[]): string {
  if (userIds.length === 0) return words.yourself;
  return userIds.map((id) => personName(state, id)).join(', ');
}

/** Also of a channel that the reader can see without a subscription. */
export function channelName({ channels, allChannels }: Channels, channelId: number): string {
  const known = channels.get(channelId) ?? allChannels.find(({ stream_id }) => stream_id === channelId);
  return known?.name ?? words.unknownChannel;
}

type Channels = Pick<ChatState, 'channels' | 'allChannels'>;

export function placeName(state: Pick<ChatState, 'people'> & Channels, place: Place): string {
  if (place.kind === 'direct') return directName(state, place.userIds);
  return `#${channelName(state, place.channelId)} › ${topicName(place.topic)}`;
}

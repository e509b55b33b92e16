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

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufefc]/;

const isFromRight = (): boolean => document.documentElement.dir === 'rtl';

/** A name beside others, which stay in their order whichever direction it is written in. */
const isolated = (name: string): string => (isFromRight() || RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name);

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
  if (userIds.length === 1) return personName(state, userIds[0] ?? 0);
  return userIds.map((id) => isolated(personName(state, id))).join(', ');
}

/** Also of a channel that the reader can see without a subscription. */
export function channelName({ channels, allChannels }: Channels, channelId: number): string {
  const known = channels.get(channelId) ?? allChannels.find(({ stream_id }) => stream_id === channelId);
  return known?.name ?? words.unknownChannel;
}

/** With its sign, and in the direction of the page. */
export const markedName = (state: Channels, channelId: number): string =>
  `${isFromRight() ? '\u200f' : ''}#${isolated(channelName(state, channelId))}`;

type Channels = Pick<ChatState, 'channels' | 'allChannels'>;

export function placeName(state: Pick<ChatState, 'people'> & Channels, place: Place): string {
  if (place.kind === 'direct') return directName(state, place.userIds);
  return `${markedName(state, place.channelId)} › ${isolated(topicName(place.topic))}`;
}

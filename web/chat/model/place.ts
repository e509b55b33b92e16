/** A conversation: a topic of a channel, or people. */
import type { Term } from './narrow.js';
import type { Message } from './wire.js';

export type Place =
  | { readonly kind: 'topic'; readonly channelId: number; readonly topic: string }
  /** All who take part but the reader; nobody else for notes to oneself. */
  | { readonly kind: 'direct'; readonly userIds: readonly number[] };

/** A topic of a channel. */
export type TopicPlace = Extract<Place, { readonly kind: 'topic' }>;

export const placeKey = (place: Place): string =>
  place.kind === 'topic' ? `c${place.channelId}/${place.topic.toLowerCase()}` : `d${place.userIds.join(',')}`;

export function placeOfMessage(message: Message, meId: number): Place {
  if (message.type === 'stream') return { kind: 'topic', channelId: message.stream_id ?? 0, topic: message.subject };
  const people = typeof message.display_recipient === 'string' ? [] : message.display_recipient;
  return directWith(
    people.map(({ id }) => id),
    meId,
  );
}

export function directWith(ids: readonly number[], meId: number): Place {
  return { kind: 'direct', userIds: [...new Set(ids)].filter((id) => id !== meId).sort((a, b) => a - b) };
}

/** To whom what is written goes: notes to oneself are written to oneself. */
export const recipientsOf = (userIds: readonly number[], meId: number): readonly number[] =>
  userIds.length === 0 ? [meId] : userIds;

/** The conversation that a narrow is; undefined when it is several, or none. */
export function placeOfTerms(terms: readonly Term[], meId: number): Place | undefined {
  const [first, second, ...rest] = terms;
  if (first === undefined || rest.length > 0 || terms.some(({ negated }) => negated)) return undefined;
  if (first.operator === 'dm' && second === undefined && Array.isArray(first.operand))
    return directWith(first.operand, meId);
  const isTopic = first.operator === 'channel' && typeof first.operand === 'number' && second?.operator === 'topic';
  return isTopic ? { kind: 'topic', channelId: first.operand, topic: String(second.operand) } : undefined;
}

export function termsOf(place: Place, meId: number): Term[] {
  if (place.kind === 'direct') return [{ operator: 'dm', operand: recipientsOf(place.userIds, meId) }];
  return [
    { operator: 'channel', operand: place.channelId },
    { operator: 'topic', operand: place.topic },
  ];
}

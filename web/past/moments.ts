/** The times at which a conversation changed, and its addresses at these. */
import type { ChatState } from '../chat/model/chat-state.js';
import { asOfHash } from '../chat/model/narrow.js';
import { type Place, placeKey, recipientsOf } from '../chat/model/place.js';
import { hashOf } from '../chat/places.js';
import { call } from '../shared/api.js';
import type { Change } from '../shared/en-past.js';

export interface Moment extends Change {
  /** Seconds since the epoch. */
  readonly time: number;
}

export interface Moments {
  /** Ascending. */
  readonly moments: readonly Moment[];
  readonly is_cut: boolean;
}

/** The conversation, as routes of the past name it. */
export function placeParams(place: Place, meId: number): Readonly<Record<string, unknown>> {
  if (place.kind === 'topic') return { stream_id: place.channelId, topic: place.topic };
  return { user_ids: recipientsOf(place.userIds, meId) };
}

/** Those of the conversation that was looked at last: a step goes to another address, and must not ask again. */
let kept: { readonly key: string; readonly answer: Moments } | undefined;

export const keptMoments = (place: Place): Moments | undefined =>
  kept?.key === placeKey(place) ? kept.answer : undefined;

export async function askMoments(place: Place, meId: number, signal: AbortSignal): Promise<Moments> {
  const answer = await call<Moments>('GET', '/past/moments', placeParams(place, meId), signal);
  kept = { key: placeKey(place), answer };
  return answer;
}

/** Goes to a moment; undefined is now. A step within the past takes the place of the one before in the history of the browser. */
export function goTo(place: Place, state: ChatState, time: number | undefined, isWithin: boolean): void {
  const now = hashOf(place, state);
  const hash = time === undefined ? now : asOfHash(now, time);
  if (isWithin) location.replace(hash);
  else location.hash = hash;
}

/** Index of the moment that is shown: the last one up to a time, -1 before the first. */
export const indexAt = (moments: readonly Moment[], time: number): number =>
  moments.findLastIndex((moment) => moment.time <= time);

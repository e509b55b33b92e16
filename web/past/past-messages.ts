import type { Place } from '../chat/model/place.js';
import type { Message } from '../chat/model/wire.js';
import { call } from '../shared/api.js';
import { placeParams } from './moments.js';

export interface PastMessage extends Message {
  /** The wording is that of today. */
  readonly is_reworded: boolean;
}

export interface PastPage {
  readonly as_of: number;
  readonly messages: readonly PastMessage[];
  readonly found_oldest: boolean;
  /** Where the page before goes on. */
  readonly before: number;
  readonly is_cut: boolean;
}

/** What was there in the past has no flags: it is neither unread nor starred. */
const FLAGS = ['read'];

/** @param before undefined for the newest of then */
export async function askPast(
  place: Place,
  meId: number,
  asOf: number,
  before: number | undefined,
  signal: AbortSignal,
): Promise<PastPage> {
  const params = {
    ...placeParams(place, meId),
    as_of: asOf,
    before,
    client_gravatar: false,
    allow_empty_topic_name: true,
  };
  const answer = await call<Omit<PastPage, 'as_of'>>('GET', '/past/messages', params, signal);
  return { ...answer, as_of: asOf, messages: answer.messages.map((message) => ({ ...message, flags: FLAGS })) };
}

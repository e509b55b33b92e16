/** What a move of a topic takes along. It is undone by a move back of all that is then in the other topic, so that has to be the same. */
import type { State } from '#client';
import { call } from '../../shared/api.js';
import type { Term } from './narrow.js';
import { placeKey, termsOf, type TopicPlace } from './place.js';
import type { Message } from './wire.js';

/** More messages would cost too much to ask for, before the move and before it is undone. */
const MESSAGES_MAX = 200;

/** Notices that may come with a move, and are there before it is undone. */
const NOTICES_MAX = 5;

/** What is known of who asks. */
interface Reader {
  readonly meId: number;
  readonly model: () => State | undefined;
  /** All messages of a narrow, where they are known; they may be out of date. */
  whole(terms: readonly Term[]): readonly Message[] | undefined;
}

export interface Moving {
  /** Newest message of the topic; undefined when it has none. */
  readonly newestId: number | undefined;
  /** Whether the other topic has messages already. */
  readonly isJoined: boolean;
  /** Asks, after the move, whether the other topic has these messages and no others. Undefined where the move cannot be undone exactly. */
  readonly areAlone: (() => Promise<boolean>) | undefined;
}

/** Looks at both topics before a move. @param firstId the first message that is moved; all of the topic without */
export async function movingOf(reader: Reader, from: TopicPlace, to: TopicPlace, firstId = 0): Promise<Moving> {
  const [latest, there] = await Promise.all([
    newest(reader, from, 1),
    // What cannot be asked for is taken to be there.
    newest(reader, to, 1).catch(() => undefined),
  ]);
  const newestId = latest.messages.at(-1)?.id;
  const isJoined = placeKey(from) !== placeKey(to) && there?.messages.length !== 0;
  if (isJoined || newestId === undefined) return { newestId, isJoined, areAlone: undefined };
  const { messages, found_oldest: isAll } = await messagesOf(reader, from, newestId);
  const isWhole = isAll || messages.some(({ id }) => id < firstId);
  const moved = idsOfPeople(reader, messages).filter((id) => id >= firstId);
  const areAlone = async (): Promise<boolean> => {
    const after = await newest(reader, to, messages.length + NOTICES_MAX);
    return after.found_oldest && String(idsOfPeople(reader, after.messages)) === String(moved);
  };
  return { newestId, isJoined, areAlone: isWhole ? areAlone : undefined };
}

/** What is shown is not asked for again, unless it ends with another message than the topic. */
async function messagesOf(reader: Reader, from: TopicPlace, newestId: number): Promise<Page> {
  const messages = reader.whole(termsOf(from, reader.meId)) ?? [];
  if (messages.at(-1)?.id === newestId && messages.length <= MESSAGES_MAX) return { messages, found_oldest: true };
  return newest(reader, from, MESSAGES_MAX);
}

interface Page {
  readonly messages: readonly Message[];
  readonly found_oldest: boolean;
}

function newest({ meId }: Reader, place: TopicPlace, count: number): Promise<Page> {
  const narrow = termsOf(place, meId);
  const asked = { anchor: 'newest', num_before: count, num_after: 0, narrow, allow_empty_topic_name: true };
  return call('GET', '/messages', asked);
}

/** Notices of the server about moves come and go with them. */
function idsOfPeople({ model }: Reader, messages: readonly Message[]): number[] {
  const bots = (model()?.fields.cross_realm_bots ?? []) as readonly { readonly user_id?: number }[];
  return messages.filter(({ sender_id }) => !bots.some(({ user_id }) => user_id === sender_id)).map(({ id }) => id);
}

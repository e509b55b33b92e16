import { badRequest } from '#kernel';
import { type ContentEdit, type MessageSent, type MessagesMoved, placeOf, wordsOf } from '#messages';
import type { StoryEvent } from '../messages/message-events.js';
import type { SentEvent } from '../messages/sends.js';
import { isEventUpTo, type Moment } from '../moment.js';
import { wordsIn } from '../search/wordings.projection.js';
import { editOf } from '../topics/topic-as-of.js';
import { messageIdOf } from '#event-store';

/** Each is a look into the index. */
const WORDS_MAX = 30;

/** Which messages an export has. What is undefined selects nothing out. */
export interface Selection {
  /** Messages that ever were in this channel. */
  readonly channelId: number | undefined;
  /** Messages that this user sent. */
  readonly senderId: number | undefined;
  /** Sent at this second or later. */
  readonly after: number | undefined;
  /** Sent before this second. */
  readonly before: number | undefined;
  /** Messages with a wording, current or former, that has all of them; empty for all messages. */
  readonly words: readonly string[];
}

/** @throws Refusal BAD_REQUEST when the text has no words that are searched, or too many */
export function selectedWords(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const words = [...wordsOf(text)].filter((word) => word !== '');
  if (words.length === 0) throw badRequest('There is no word to select by: the most frequent ones are not searched.');
  if (words.length > WORDS_MAX) throw badRequest(`Select by at most ${WORDS_MAX} words.`);
  return words;
}

/** Whether the send alone rules the message out. */
export function isRuledOut({ senderId, after, before }: Selection, { data }: SentEvent): boolean {
  if (senderId !== undefined && data.senderId !== senderId) return true;
  if (after !== undefined && data.at < after) return true;
  return before !== undefined && data.at >= before;
}

/** Whether the selection asks for more than the send tells. */
export function needsChanges({ channelId, words }: Selection): boolean {
  return channelId !== undefined || words.length > 0;
}

/**
 * Whether a message belongs to the export. What once does always will: a place or a wording that it had stays one that it had.
 * @param changes of the message, in the order of the log
 */
export async function isSelected(
  { channelId, words }: Selection,
  sent: SentEvent,
  changes: AsyncIterable<StoryEvent>,
  moment: Moment,
): Promise<boolean> {
  const id = messageIdOf(sent.revision);
  const has = (content: MessageSent['data'] | ContentEdit): boolean => {
    const found = wordsIn(content);
    return words.every((word) => found.has(word));
  };
  const place = placeOf(sent.data);
  let isThere = channelId === undefined || ('channelId' in place && place.channelId === channelId);
  let hasWords = words.length === 0 || has(sent.data);
  if (isThere && hasWords) return true;
  for await (const event of changes) {
    if (!isEventUpTo(moment, event)) continue;
    if (event.type === 'messages.moved.v1')
      isThere ||= (event.data as MessagesMoved['data']).to.channelId === channelId;
    const edit = editOf(event, id);
    hasWords ||= edit !== undefined && has(edit);
    if (isThere && hasWords) return true;
  }
  return false;
}

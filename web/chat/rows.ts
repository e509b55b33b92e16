/** From messages to the rows of a list: where a day begins, another sender, another place, and what is new. */
import type { Window } from '#client';
import type { ListRow } from '../list/message-list.js';
import type { Message } from './model/wire.js';
import { textOf } from '../shared/rendered-html.js';
import { dayOf } from '../shared/time.js';

/** Messages of one sender in a row are shown under one name, for so long. */
const RUN_SECONDS = 10 * 60;

/** A message that was sent here and is not confirmed yet. */
export interface OutgoingMessage {
  readonly localId: string;
  readonly content: string;
  /** HTML of the content as far as this page can tell. */
  readonly timestamp: number;
  readonly failure: string | undefined;
  /** Once the server has answered. */
  readonly messageId: number | undefined;
}

type Match = NonNullable<ReturnType<Window['matches']['get']>>;

export interface MessageRow extends ListRow {
  readonly message: Message | undefined;
  readonly outgoing: OutgoingMessage | undefined;
  readonly senderId: number;
  readonly timestamp: number;
  /** HTML of the content with what a search has found in it. */
  readonly foundContent: string | undefined;
  /** HTML of the topic with what a search has found in it; empty where that was another topic. */
  readonly foundTopic: string;
  /** Whether the sender is named. */
  readonly hasHead: boolean;
  readonly isNewDay: boolean;
  /** Whether the line "new" stands above. */
  readonly isFirstNew: boolean;
  /** Whether the place is named above, in lists of several conversations. */
  readonly hasPlace: boolean;
}

export interface RowOptions {
  /** The first message that was unread when the reader came here. */
  readonly firstNewId: number | undefined;
  readonly showsPlaces: boolean;
  readonly meId: number;
  /** Keys of rows of messages that were sent from here, by message ID. */
  readonly keys: ReadonlyMap<number, string>;
  readonly matches?: Window['matches'] | undefined;
}

/** Orders of messages that have no ID yet: behind all that have one. */
const OUTGOING_ORDER = 2 ** 40;

const placeOf = ({ type, stream_id, subject, display_recipient }: Message): string =>
  type === 'stream'
    ? `${stream_id}/${subject.toLowerCase()}`
    : typeof display_recipient === 'string'
      ? display_recipient
      : display_recipient.map(({ id }) => id).join(',');

export function rowsOf(
  messages: readonly Message[],
  outgoing: readonly OutgoingMessage[],
  { firstNewId, showsPlaces, meId, keys, matches }: RowOptions,
  before: ReadonlyMap<string, MessageRow>,
): MessageRow[] {
  const rows: MessageRow[] = [];
  let last: { readonly senderId: number; readonly timestamp: number; readonly place: string } | undefined;
  const add = (row: Omit<MessageRow, 'isNewDay' | 'isFirstNew' | 'hasPlace' | 'hasHead'>, place: string) => {
    const isNewDay = last === undefined || dayOf(last.timestamp) !== dayOf(row.timestamp);
    const isFirstNew = row.message !== undefined && row.message.id === firstNewId;
    const hasPlace = showsPlaces && (last?.place !== place || isNewDay);
    const isRun = last?.senderId === row.senderId && row.timestamp - last.timestamp < RUN_SECONDS;
    const next = { ...row, isNewDay, isFirstNew, hasPlace, hasHead: !isRun || isNewDay || isFirstNew || hasPlace };
    const known = before.get(row.key);
    rows.push(known !== undefined && isSame(known, next) ? known : next);
    last = { senderId: row.senderId, timestamp: row.timestamp, place };
  };
  for (const message of messages) {
    const { id, sender_id: senderId, timestamp } = message;
    const found = foundIn(message, matches?.get(id));
    add(
      { key: keys.get(id) ?? `m${id}`, order: id, message, outgoing: undefined, ...found, senderId, timestamp },
      placeOf(message),
    );
  }
  for (const [index, one] of outgoing.entries()) {
    // Its message is there already.
    if (one.messageId !== undefined && messages.some(({ id }) => id === one.messageId)) continue;
    const { localId, timestamp } = one;
    const order = OUTGOING_ORDER + index;
    const place = last?.place ?? '';
    add({ key: localId, order, message: undefined, outgoing: one, ...NOTHING_FOUND, senderId: meId, timestamp }, place);
  }
  return rows;
}

type Found = Pick<MessageRow, 'foundContent' | 'foundTopic'>;
const NOTHING_FOUND: Found = { foundContent: undefined, foundTopic: '' };

/** Nothing once the message has another wording or topic than the one in which something was found. */
function foundIn({ content, subject }: Message, match: Match | undefined): Found {
  if (match === undefined || bare(match.content) !== bare(content)) return NOTHING_FOUND;
  const isOfTopic = textOf(match.subject) === subject.replaceAll(/\s+/g, ' ').trim();
  return { foundContent: match.content, foundTopic: isOfTopic ? match.subject : '' };
}

const bare = (html: string): string => html.replaceAll(/<span class="highlight">|<\/span>/g, '');

function isSame(one: MessageRow, other: MessageRow): boolean {
  return (Object.keys(other) as (keyof MessageRow)[]).every((key) => one[key] === other[key]);
}

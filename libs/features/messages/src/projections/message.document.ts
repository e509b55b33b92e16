import type { CollectionSchema } from '#read-store';
import type { Arrival } from '../model/message.access.js';
import type { Widget } from '../model/widget.js';
import { indexedWords, WORD_FIELDS, type Trait } from './content-traits.js';

export interface ReactionEntry {
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji';
  readonly userId: number;
}

/** An addition to a widget. */
export interface SubmessageEntry {
  readonly id: number;
  readonly senderId: number;
  /** JSON. */
  readonly content: string;
  /** Seconds since the epoch. Missing in documents of former versions. */
  readonly at?: number;
}

/** One edit or move. The previous content is stored separately (`MessageVersionsDocument`). */
export interface EditEntry {
  readonly by: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** Position in the log. */
  readonly position: number;
  /** The content changed. */
  readonly edited?: true;
  readonly prevTopic?: string;
  readonly topic?: string;
  readonly prevChannelId?: number;
  readonly channelId?: number;
}

/** Maximum edits and moves in a message: each write of the document carries them, and each takes up to 600 bytes. */
export const EDITS_MAX = 100;
/** Maximum moves to another channel in a message: each write of the document carries them. */
export const ARRIVALS_MAX = 100;

/** Value in `singledOut` that stands for all users of the conversation. */
export const EVERYONE = 0;

/** Edits can mention a large group after another one; beyond this many people, those whom later edits leave out lose the message. */
export const UNMENTIONED_MAX = 1000;

/** A message in its current state; the key is the message ID. */
export interface MessageDocument {
  /** `c:{channelId}` or `d:{participant ids, ascending, comma-joined}`. */
  conversation: string;
  /** The topic in lower case; the empty string for a direct message. Topics are equal when their keys are. */
  topicKey: string;
  senderId: number;
  /** The topic as this message spells it; absent for a direct message. */
  topic?: string;
  content: string;
  /** HTML; absent when the content is plain. */
  rendered?: string;
  mentions?: readonly number[];
  /**
   * Users mentioned, including by wildcards, or `EVERYONE`: the index for `is:mentioned`. Absent when there are none.
   */
  singledOut?: readonly number[];
  /**
   * Users whom earlier versions mentioned and this one does not, at most `UNMENTIONED_MAX`: they keep the message in their history
   * (rules.md §7). Absent when there are none.
   */
  unmentioned?: readonly number[];
  channelWildcard?: true;
  topicWildcard?: true;
  /** Users reached by the topic wildcard. */
  topicParticipants?: readonly number[];
  /** Users with an alert word in it. */
  alerted?: readonly number[];
  /** IDs of the uploaded files that it refers to (`files` of the event); absent when there are none. */
  files?: readonly number[];
  /** Absent when it has no such property. */
  has?: readonly Trait[];
  client: string;
  readBySender?: true;
  /** For a notice that a topic was resolved or unresolved: for all other users it starts read. */
  unreadFor?: readonly number[];
  /** For a notice: for these users, whose act it tells of, it starts read. */
  readBy?: readonly number[];
  /** Seconds since the epoch. */
  at: number;
  /** Approximate size of the document in bytes (`bytesOf`), for readers with a size limit. */
  bytes: number;
  reactions?: ReactionEntry[];
  /** The widget that a service of a bot asked for; any other is derived from the content. */
  widget?: Widget;
  /** Oldest first, without the widget itself. */
  submessages?: SubmessageEntry[];
  /** The newest `EDITS_MAX`, newest first. */
  edits?: EditEntry[];
  /** Position of the first edit or move, once that is not among `edits` any more. */
  firstEditPosition?: number;
  lastEditAt?: number;
  /** Last move that did more than resolve or unresolve the topic. */
  lastMovedAt?: number;
  /** The channel it was sent to; absent while it was never in another. */
  sentTo?: number;
  /** Its current channel, when it arrived there by a move. A list, so that only such messages are indexed. */
  movedInto?: readonly [number];
  /** The last `ARRIVALS_MAX` arrivals in another channel, oldest first. */
  arrivals?: Arrival[];
}

/** Size of the fields that vary little. */
const FIXED_BYTES = 300;
const EDIT_BYTES = 200;
const REACTION_BYTES = 120;
const SUBMESSAGE_BYTES = 60;
const ID_BYTES = 8;

/** Approximate size of a document as JSON, in bytes, which is also that of the message on the wire. */
export function bytesOf(doc: Omit<MessageDocument, 'bytes'>): number {
  const {
    mentions,
    unmentioned,
    singledOut,
    topicParticipants,
    alerted,
    unreadFor,
    readBy,
    reactions,
    submessages = [],
    edits,
  } = doc;
  const ids = [mentions, unmentioned, singledOut, topicParticipants, alerted, unreadFor, readBy].reduce(
    (count, list) => count + (list?.length ?? 0),
    0,
  );
  return (
    FIXED_BYTES +
    Buffer.byteLength(doc.content) +
    Buffer.byteLength(doc.rendered ?? '') +
    ids * ID_BYTES +
    (reactions?.length ?? 0) * REACTION_BYTES +
    Buffer.byteLength(doc.widget?.content ?? '') +
    submessages.reduce((bytes, { content }) => bytes + Buffer.byteLength(content) + SUBMESSAGE_BYTES, 0) +
    (edits?.length ?? 0) * EDIT_BYTES
  );
}

export const messagesCollection = {
  name: 'messages',
  key: 'integer',
  fields: { conversation: 'text', topicKey: 'text', senderId: 'integer', bytes: 'integer' },
  indexes: [['conversation'], ['conversation', 'topicKey'], ['senderId'], ['senderId', 'conversation']],
  many: {
    singledOut: 'integer',
    unmentioned: 'integer',
    alerted: 'integer',
    movedInto: 'integer',
    has: 'text',
    files: 'integer',
  },
  words: {
    field: 'words',
    version: 3,
    from: WORD_FIELDS,
    of: (doc) => indexedWords(doc as unknown as MessageDocument),
  },
} as const satisfies CollectionSchema;

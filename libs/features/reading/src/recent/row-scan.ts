import { located, type MessageDocument, type MessageRow, mayReadMessage, parseConversation } from '#messages';
import { coversMessage, hasSharedHistory, mayReadChannel } from '#channels/model';
import type { Directory } from '#people';
import type { User } from '#users/model';
import { isTopicMuted, preferencesPart } from '#preferences/model';
import { CHUNK_SIZE, type IdChunk } from '../flags/id-chunk.js';
import { hasReceived, isMentioned, isRead, isWildcard, seenBy, UNTOUCHED } from '../flags/message-flags.js';
import { asDocument, type RecentRows, type RowBlock, type RowPlace } from './recent-rows.js';
import { type SeenRow, SeenRows, type UserPlace } from './seen-rows.js';

const UNKNOWN = -1;

/** What is the same for all topics of a channel. */
type SeenChannel = Omit<UserPlace, keyof RowPlace | 'index' | 'isMuted' | 'channelId'> & { readonly channelId: number };

/** A user's flags of recent messages, by chunk. */
export interface RecentFlags {
  readonly read: ReadonlyMap<number, IdChunk>;
  readonly unread: ReadonlyMap<number, IdChunk>;
}

/**
 * Recent messages as one user sees them now. Synchronous, and quick: a few milliseconds for 100,000 messages, since what holds for most
 * follows from their place and sender alone. For all others the rules of `message-flags.ts` are asked. Access and preferences must not
 * change meanwhile.
 */
export class RowScan {
  readonly #places = new Map<RowPlace, UserPlace>();
  readonly #byName = new Map<string, UserPlace>();
  readonly #channels = new Map<string, SeenChannel>();
  readonly #preferences;
  /** By `UserPlace.index`. */
  readonly #known: UserPlace[] = [];
  /**
   * By `UserPlace.index`, two numbers: the first and the last ID of others' messages that the user received unless the messages have
   * traits, so that most rows are judged without a look at their place. What is outside is judged by the place.
   */
  readonly #received: number[] = [];

  constructor(
    private readonly directory: Directory,
    private readonly user: User,
  ) {
    this.#preferences = directory.of(preferencesPart);
  }

  /** All rows, newest first. */
  *rows(rows: RecentRows): Generator<SeenRow, void, void> {
    for (const { block, index, place } of everyRow(rows)) yield this.#rowAt(block, index, this.#place(place));
  }

  /** The newest unread messages, newest first, without an access check: at most `limit`. */
  unread(rows: RecentRows, flags: RecentFlags, limit: number): SeenRows {
    const found = new SeenRows(this.#known);
    // Numbers of places do not change in one turn.
    const indexes = new Int32Array(rows.places.length + 1).fill(UNKNOWN);
    for (let at = rows.blocks.length - 1; at >= 0 && found.length < limit; at--) {
      const block = rows.blocks[at];
      if (block !== undefined) this.#unreadIn(rows, block, indexes, flags, limit, found);
    }
    return found;
  }

  /** The user's view of a message that was found elsewhere. */
  viewed({ id, doc }: MessageRow): SeenRow {
    return { id, senderId: doc.senderId, place: this.#placeNamed(doc), traits: doc };
  }

  /** Those that the user may read: the same list when they may read all. */
  readable(rows: SeenRows): SeenRows {
    const mayReadAll = rows.everyPlace(({ isReadable }) => isReadable === true);
    return mayReadAll ? rows : rows.filter((row) => this.isReadable(row));
  }

  isReadable({ id, place, traits }: SeenRow): boolean {
    const { isReadable, conversation, spans } = place;
    if (isReadable !== 'each') return isReadable;
    if (traits?.arrivals === undefined) return coversMessage(spans, id);
    return mayReadMessage(this.directory, this.user, located(id, { conversation, arrivals: traits.arrivals }));
  }

  isDelivered({ id, place, senderId, traits }: SeenRow): boolean {
    if (traits === undefined) return this.#isPlainDelivered(id, place, senderId);
    return hasReceived(this.directory, this.user.userId, id, asDocument(place, senderId, false, traits));
  }

  #isPlainDelivered(id: number, place: UserPlace, senderId: number): boolean {
    if (senderId === this.user.userId) return true;
    return place.channelId === undefined
      ? place.participants.includes(this.user.userId)
      : coversMessage(place.spans, id);
  }

  #unreadIn(
    rows: RecentRows,
    block: RowBlock,
    indexes: Int32Array,
    flags: RecentFlags,
    limit: number,
    found: SeenRows,
  ): void {
    const read = flags.read.get(block.chunk);
    const marked = flags.unread.get(block.chunk);
    const { base, first, last } = rows.extentOf(block);
    for (let index = last; index >= first; index--) {
      const number = block.places[index] ?? 0;
      if (number === 0) continue;
      const id = base + index;
      const isMarked = marked?.has(id) === true;
      if (!isMarked && read?.has(id) === true) continue;
      let at = indexes[number] ?? UNKNOWN;
      if (at === UNKNOWN) at = indexes[number] = this.#place(rows.place(number)).index;
      if (!isMarked && this.#isRead(block, index, id, at)) continue;
      const place = block.hasTraitsAt(index) ? this.#known[at] : undefined;
      if (place === undefined) found.add(id, block.senderAt(index), at);
      else found.addRow(this.#rowAt(block, index, place));
      if (found.length >= limit) return;
    }
  }

  /** Whether a message that the user has not flagged is read, or was not delivered. @param at the index of its place */
  #isRead(block: RowBlock, index: number, id: number, at: number): boolean {
    const { userId } = this.user;
    const senderId = block.senderAt(index);
    if (!block.hasTraitsAt(index)) {
      if (senderId === userId) return block.isReadBySenderAt(index);
      const isReceived = id >= (this.#received[2 * at] ?? 0) && id <= (this.#received[2 * at + 1] ?? 0);
      if (!isReceived && !coversMessage(this.#known[at]?.spans ?? [], id)) return true;
      return this.#preferences.wasMutingAt(userId, senderId, id);
    }
    const place = this.#known[at];
    if (place === undefined) return true;
    const doc = asDocument(place, senderId, block.isReadBySenderAt(index), block.traitsAt(index) ?? {});
    return isRead(doc, seenBy(this.directory, userId, id, doc, UNTOUCHED));
  }

  #rowAt(block: RowBlock, index: number, place: UserPlace): SeenRow {
    const id = block.chunk * CHUNK_SIZE + index;
    return { id, senderId: block.senderAt(index), place, traits: block.traitsAt(index) };
  }

  #place(place: RowPlace): UserPlace {
    let known = this.#places.get(place);
    if (known === undefined) this.#places.set(place, (known = this.#placeNamed(place)));
    return known;
  }

  #placeNamed(doc: Pick<MessageDocument, 'conversation' | 'topicKey' | 'topic'>): UserPlace {
    const name = doc.topic === undefined ? doc.conversation : `${doc.conversation}:${doc.topic}`;
    let known = this.#byName.get(name);
    if (known !== undefined) return known;
    known = this.#seen(doc);
    this.#byName.set(name, known);
    this.#known.push(known);
    this.#received.push(...this.#receivedIn(known));
    return known;
  }

  /** The first and the last ID for `#received`: the current span of a channel, if any; all or none of a direct conversation. */
  #receivedIn({ channelId, participants, spans }: UserPlace): readonly [first: number, last: number] {
    if (channelId === undefined && participants.includes(this.user.userId)) return [0, Infinity];
    const span = spans.at(-1);
    return span === undefined ? [1, 0] : [span.fromId, span.untilId ?? Infinity];
  }

  #seen({ conversation, topicKey, topic }: RowPlace): UserPlace {
    const { directory, user } = this;
    const index = this.#known.length;
    let channel = this.#channels.get(conversation);
    if (channel === undefined) {
      const parsed = parseConversation(conversation);
      if ('participants' in parsed) {
        const row = { index, conversation, topicKey, ...(topic !== undefined && { topic }) };
        const isReadable = mayReadMessage(directory, user, located(0, row));
        const { participants } = parsed;
        return { ...row, channelId: undefined, participants, isMuted: false, isListed: true, isReadable, spans: [] };
      }
      this.#channels.set(conversation, (channel = this.#seenChannel(parsed.channelId)));
    }
    // Field by field: joining two objects costs more than all else here, and there are tens of thousands of topics.
    const { channelId, participants, isListed, isReadable, spans } = channel;
    const isMuted = isTopicMuted(directory, user.userId, channelId, topic ?? '');
    const place = { index, conversation, topicKey, channelId, participants, isMuted, isListed, isReadable, spans };
    return topic === undefined ? place : { ...place, topic };
  }

  #seenChannel(channelId: number): SeenChannel {
    const { directory, user } = this;
    const channel = directory.channel(channelId);
    const mayRead = channel !== undefined && mayReadChannel(directory, user, channel);
    const isOpen = channel?.isArchived === false;
    return {
      channelId,
      participants: [],
      isListed: isOpen && directory.isSubscribed(user.userId, channelId),
      isReadable: mayRead && !hasSharedHistory(channel) ? 'each' : mayRead,
      spans: directory.subscription(user.userId, channelId)?.spans ?? [],
    };
  }
}

function* everyRow(rows: RecentRows): Generator<{ block: RowBlock; index: number; place: RowPlace }, void, void> {
  for (const block of rows.blocks.toReversed()) {
    const { first, last } = rows.extentOf(block);
    for (let index = last; index >= first; index--) {
      const number = block.places[index] ?? 0;
      if (number !== 0) yield { block, index, place: rows.place(number) };
    }
  }
}

/** Whether the message counts as a mention of the user while it is unread. */
export function isMention({ place, traits, senderId }: SeenRow, userId: number): boolean {
  if (traits === undefined) return false;
  const doc = asDocument(place, senderId, false, traits);
  return isMentioned(doc, userId) || (isWildcard(doc, userId) && !place.isMuted);
}

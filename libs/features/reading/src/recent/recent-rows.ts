import type { MessageDocument, SenderRow } from '#messages';
import { CHUNK_SIZE, chunkOf } from '../flags/id-chunk.js';

/** A topic in one spelling, or a direct conversation. One object for each, so that what is derived from it can be cached by it. */
export type RowPlace = Readonly<Pick<MessageDocument, 'conversation' | 'topicKey' | 'topic'>>;

/** What else decides who received a message, and as what; most messages have none of it. */
export type RowTraits = Readonly<
  Pick<
    MessageDocument,
    | 'mentions'
    | 'unmentioned'
    | 'channelWildcard'
    | 'topicParticipants'
    | 'unreadFor'
    | 'readBy'
    | 'sentTo'
    | 'arrivals'
  >
>;

/** The fields of a message that rows keep. */
export type RowFields = RowPlace & RowTraits & Readonly<Pick<MessageDocument, 'senderId' | 'readBySender'>>;

/** Maximum user IDs in the traits of all rows: 8 bytes each. */
const TRAIT_IDS_MAX = 1_000_000;
/** Maximum places that are known, in use or not: some 200 bytes each. */
const PLACES_MAX = 50_000;

const HAS_TRAITS = 1;
const READ_BY_SENDER = 2;
const SENDER_SHIFT = 4;

/** The rows of one chunk of message IDs, by the ID's place in the chunk. */
export class RowBlock {
  /** Numbers of places; 0 where there is no message. */
  readonly places = new Uint32Array(CHUNK_SIZE);
  /** IDs of senders, and two bits. */
  readonly senders = new Uint32Array(CHUNK_SIZE);

  constructor(
    readonly chunk: number,
    readonly traits = new Map<number, RowTraits>(),
  ) {}

  copy(): RowBlock {
    const block = new RowBlock(this.chunk, new Map(this.traits));
    block.places.set(this.places);
    block.senders.set(this.senders);
    return block;
  }

  senderAt(index: number): number {
    return Math.floor((this.senders[index] ?? 0) / SENDER_SHIFT);
  }

  isReadBySenderAt(index: number): boolean {
    return ((this.senders[index] ?? 0) & READ_BY_SENDER) !== 0;
  }

  hasTraitsAt(index: number): boolean {
    return ((this.senders[index] ?? 0) & HAS_TRAITS) !== 0;
  }

  traitsAt(index: number): RowTraits | undefined {
    return this.hasTraitsAt(index) ? this.traits.get(index) : undefined;
  }
}

/**
 * The newest messages in columns: where each is, who sent it, and what singles out its recipients. All readers share them,
 * so that what is unread for one of them is found without reading a document.
 */
export class RecentRows {
  /** Rows of 131,072 messages, some 10 bytes each. Less than this is examined by a look for unread messages. */
  static readonly BLOCKS_MAX = 16;

  #places: RowPlace[] = [];
  #numbers = new Map<string, number>();
  /** Ascending, without gaps. */
  readonly #blocks: RowBlock[] = [];
  #traitIds = 0;

  /**
   * @param from the first ID that is covered
   * @param next the ID of the next message
   */
  constructor(
    public from: number,
    public next: number,
    private blocksMax = RecentRows.BLOCKS_MAX,
  ) {}

  /** Ascending by chunk. Rows below `from` are not to be trusted. */
  get blocks(): readonly RowBlock[] {
    return this.#blocks;
  }

  /** By their numbers, from 1. The list only grows; another one takes its place when places are forgotten. */
  get places(): readonly RowPlace[] {
    return this.#places;
  }

  /** Whether earlier messages may be covered, too. */
  get hasRoom(): boolean {
    return this.from > 1 && this.#blocks.length < this.blocksMax && !this.#isHeavy;
  }

  covers(id: number): boolean {
    return id >= this.from && id < this.next;
  }

  /** @param number from a block */
  place(number: number): RowPlace {
    const place = this.#places[number - 1];
    if (place === undefined) throw new Error(`There is no place ${number}.`);
    return place;
  }

  /** Indexes of the first and the last row of a block that count; the base is the ID of index 0. */
  extentOf({ chunk }: RowBlock): { readonly base: number; readonly first: number; readonly last: number } {
    const base = chunk * CHUNK_SIZE;
    return { base, first: Math.max(0, this.from - base), last: Math.min(CHUNK_SIZE, this.next - base) - 1 };
  }

  /** Adds the newest message. */
  add(id: number, fields: RowFields): void {
    this.next = id + 1;
    this.put(id, fields);
    while (this.#blocks.length > 1 && (this.#blocks.length > this.blocksMax || this.#isHeavy)) this.#dropOldest();
  }

  /** Adds earlier messages, of the chunk before the first one that is covered. @param from the first ID that is covered then */
  prepend(from: number, messages: Iterable<readonly [id: number, fields: RowFields]>): void {
    this.#blockOf(from);
    this.from = from;
    for (const [id, fields] of messages) this.put(id, fields);
  }

  /**
   * Adds the block of earlier messages before the first one that is covered.
   * @param from the first ID that is covered then
   * @param places which the block's numbers name
   */
  prependBlock(from: number, block: RowBlock, places: readonly RowPlace[]): void {
    const numbers = [0, ...places.map((place) => this.#numberOf(place))];
    for (const [index, number] of block.places.entries()) block.places[index] = numbers[number] ?? 0;
    for (const traits of block.traits.values()) this.#traitIds += idsIn(traits);
    this.#blocks.unshift(block);
    this.from = from;
  }

  /** Replaces a message that is covered; removes it without fields. */
  put(id: number, fields: RowFields | undefined): void {
    const block = this.#blockOf(id);
    const index = id - block.chunk * CHUNK_SIZE;
    this.#traitIds -= idsIn(block.traits.get(index));
    block.traits.delete(index);
    block.places[index] = fields === undefined ? 0 : this.#numberOf(fields);
    if (fields === undefined) return;
    const traits = traitsOf(fields);
    const bits = (traits === undefined ? 0 : HAS_TRAITS) + (fields.readBySender === true ? READ_BY_SENDER : 0);
    block.senders[index] = fields.senderId * SENDER_SHIFT + bits;
    if (traits === undefined) return;
    block.traits.set(index, traits);
    this.#traitIds += idsIn(traits);
  }

  /** The kept fields of a message, as a document without text; undefined when there is none. */
  get(id: number): MessageDocument | undefined {
    const block = this.covers(id) ? this.#blocks[chunkOf(id) - (this.#blocks[0]?.chunk ?? 0)] : undefined;
    if (block === undefined) return undefined;
    const index = id - block.chunk * CHUNK_SIZE;
    const number = block.places[index] ?? 0;
    if (number === 0) return undefined;
    return asDocument(
      this.place(number),
      block.senderAt(index),
      block.isReadBySenderAt(index),
      block.traitsAt(index) ?? {},
    );
  }

  /** Messages with higher IDs by place, newest first. Synchronous: some milliseconds for 50,000. */
  newerThan(id: number): Map<RowPlace, SenderRow[]> {
    const found = new Map<RowPlace, SenderRow[]>();
    for (const block of this.#blocks.toReversed()) {
      const { base, first, last } = this.extentOf(block);
      for (let index = last; index >= Math.max(first, id + 1 - base); index--) {
        const number = block.places[index] ?? 0;
        if (number === 0) continue;
        const row = { id: base + index, senderId: block.senderAt(index) };
        const there = found.get(this.place(number));
        if (there === undefined) found.set(this.place(number), [row]);
        else there.push(row);
      }
    }
    return found;
  }

  get #isHeavy(): boolean {
    return this.#traitIds > TRAIT_IDS_MAX || this.#places.length > PLACES_MAX;
  }

  #blockOf(id: number): RowBlock {
    const chunk = chunkOf(id);
    const first = this.#blocks[0]?.chunk ?? chunk;
    const found = this.#blocks[chunk - first];
    if (found !== undefined) return found;
    const block = new RowBlock(chunk);
    if (chunk < first) this.#blocks.unshift(block);
    else this.#blocks.push(block);
    return block;
  }

  #dropOldest(): void {
    // What is too heavy now would be so again if it were read again.
    if (this.#isHeavy) this.blocksMax = this.#blocks.length - 1;
    const [oldest] = this.#blocks.splice(0, 1);
    if (oldest === undefined) return;
    for (const traits of oldest.traits.values()) this.#traitIds -= idsIn(traits);
    this.from = (oldest.chunk + 1) * CHUNK_SIZE;
    if (this.#places.length > PLACES_MAX / 2) this.#forgetPlaces();
  }

  /** Numbers the places anew that are in use. */
  #forgetPlaces(): void {
    const known = this.#places;
    this.#places = [];
    this.#numbers = new Map();
    for (const { places } of this.#blocks)
      for (const [index, number] of places.entries()) {
        const place = known[number - 1];
        if (place !== undefined) places[index] = this.#numberOf(place);
      }
  }

  #numberOf({ conversation, topicKey, topic }: RowPlace): number {
    const key = topic === undefined ? conversation : `${conversation}:${topic}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#places.push({ conversation, topicKey, ...(topic === undefined ? {} : { topic }) });
    this.#numbers.set(key, number);
    return number;
  }
}

/** A message of which only the fields of a row are known. */
export function asDocument(
  place: RowPlace,
  senderId: number,
  isReadBySender: boolean,
  traits: RowTraits,
): MessageDocument {
  const readBySender = isReadBySender ? { readBySender: true as const } : {};
  return { ...place, ...traits, ...readBySender, senderId, content: '', client: '', at: 0, bytes: 0 };
}

function traitsOf(fields: RowTraits): RowTraits | undefined {
  const { mentions, unmentioned, channelWildcard, topicParticipants, unreadFor, readBy, sentTo, arrivals } = fields;
  const isPlain =
    mentions === undefined &&
    unmentioned === undefined &&
    channelWildcard === undefined &&
    topicParticipants === undefined &&
    unreadFor === undefined &&
    readBy === undefined &&
    sentTo === undefined;
  if (isPlain) return undefined;
  return {
    ...(mentions === undefined ? {} : { mentions }),
    ...(unmentioned === undefined ? {} : { unmentioned }),
    ...(channelWildcard === undefined ? {} : { channelWildcard }),
    ...(topicParticipants === undefined ? {} : { topicParticipants }),
    ...(unreadFor === undefined ? {} : { unreadFor }),
    ...(readBy === undefined ? {} : { readBy }),
    ...(sentTo === undefined ? {} : { sentTo }),
    ...(arrivals === undefined ? {} : { arrivals }),
  };
}

/** Approximate size of traits, in IDs. */
function idsIn(traits: RowTraits | undefined): number {
  if (traits === undefined) return 0;
  const {
    mentions = [],
    unmentioned = [],
    topicParticipants = [],
    unreadFor = [],
    readBy = [],
    arrivals = [],
  } = traits;
  return (
    16 +
    mentions.length +
    unmentioned.length +
    topicParticipants.length +
    unreadFor.length +
    readBy.length +
    arrivals.length
  );
}

import { idsIn, Slices } from '#kernel';
import {
  conversationOf,
  isResolution,
  located,
  mayReadMessage,
  type MessagesReader,
  parseConversation,
  type Place,
  type SenderRow,
  topicKeyOf,
} from '#messages';
import type { Directory } from '#people';
import { hasSharedHistory, mayReadChannel, mayReadUnsubscribed } from '#channels/model';
import type { User } from '#users/model';
import { where } from '#read-store';
import type { Change, ChangesReader } from './changes.reader.js';
import type { KnownMessage, KnownMessages } from './known-messages.js';
import { type ChangeRow, KIND } from './recent-changes.projection.js';

/** Items that an answer lists of each kind; what is beyond is counted. */
export const LISTED_MAX = 50;
const SENDERS_MAX = 10;
/** Moved messages of which it is asked who sent them. */
const MOVED_MAX = 50_000;
const MOVED_PAGE = 1_000;

/** A topic, or a direct conversation. */
export interface MessagesPlace {
  readonly conversation: string;
  readonly topicKey: string;
}

/** Place and sender of a message. */
export interface PlaceOfMessage extends SenderRow, MessagesPlace {}

/** What happened in a conversation. */
export interface Told {
  readonly conversation: string;
  readonly topicKey: string;
  /** As it is spelled, where a change tells it. */
  topic: string | undefined;
  sent: number;
  firstId: number;
  lastId: number;
  readonly senderIds: Set<number>;
  readonly edited: Set<number>;
  movedIn: number;
  movedOut: number;
  deleted: number;
  resolvedBy: number | undefined;
  unresolvedBy: number | undefined;
}

/** What somebody would have been told of while they were away, folded. Rights are those of today. */
export class Digest {
  readonly conversations = new Map<string, Told>();
  readonly mentions: PlaceOfMessage[] = [];
  mentionCount = 0;
  /** Messages of the viewer that others moved. */
  movedMine = 0;
  /** By message, user and emoji, in the order of the log. */
  readonly #reactions = new Map<string, ChangeRow>();
  #isCut = false;
  readonly #readable = new Map<string, boolean>();
  readonly #moved = new Set<number>();

  constructor(
    private readonly directory: Directory,
    private readonly viewer: User,
    private readonly messages: MessagesReader,
    private readonly known: KnownMessages,
    private readonly changes: ChangesReader,
  ) {}

  /** Too much was changed to look at all of it. */
  get isCut(): boolean {
    return this.#isCut || this.known.isCut;
  }

  /** Says that something was not looked at. */
  cut(): void {
    this.#isCut = true;
  }

  get reactions(): readonly ChangeRow[] {
    return [...this.#reactions.values()];
  }

  /** Messages that came to a place, newest first; what the viewer sent is not news to them. */
  async sent({ conversation, topicKey }: MessagesPlace, rows: readonly SenderRow[]): Promise<void> {
    const { userId } = this.viewer;
    const theirs = rows.filter(({ id, senderId }) => senderId !== userId && this.#wasTold(conversation, id));
    if (theirs.length === 0) return;
    const checked = await this.#checked(conversation, theirs);
    if (checked.length === 0) return;
    const told = this.#toldOf(conversation, topicKey);
    told.sent += checked.length;
    for (const { id, senderId } of checked) {
      told.firstId = told.firstId === 0 ? id : Math.min(told.firstId, id);
      told.lastId = Math.max(told.lastId, id);
      if (told.senderIds.size < SENDERS_MAX) told.senderIds.add(senderId);
    }
  }

  /** @param afterId beyond which all messages are that were sent later than the time */
  async mentioned(afterId: number, time: number): Promise<void> {
    const { userId } = this.viewer;
    const range = where.range('$key', { gt: afterId });
    const found = where.and(where.contains('singledOut', userId), range);
    this.mentionCount = 0;
    for (const { id, doc } of await this.messages.find(found, 'descending', LISTED_MAX + 1)) {
      if (doc.at <= time || doc.senderId === userId || !this.#mayRead(id, doc)) continue;
      this.mentionCount++;
      const { senderId, conversation, topicKey } = doc;
      if (this.mentions.length < LISTED_MAX) this.mentions.push({ id, senderId, conversation, topicKey });
    }
  }

  /** @param rows in the order of the log */
  async changed(rows: readonly Change[]): Promise<void> {
    const others = rows.filter(({ by }) => by !== this.viewer.userId);
    const named = new Set<number>();
    for (const { kind, messageId } of others) if (kind !== KIND.deleted) named.add(messageId);
    const docs = await this.known.getMany(named);
    // Who may not read it today hears nothing of it.
    for (const [id, doc] of docs) if (!this.#mayRead(id, doc)) docs.delete(id);
    const asked = others.filter((row) => this.#asksForAll(row, docs.get(row.messageId)));
    const whole = await this.changes.getMany(asked.map(({ position }) => position));
    const slices = new Slices();
    const moved: number[] = [];
    for (const row of others) {
      this.#change(row, whole.get(row.position), docs.get(row.messageId), moved);
      if (slices.isOver) await slices.next();
    }
    for (let from = 0; from < moved.length; from += MOVED_PAGE) {
      this.movedMine += await this.#mineAmong(moved.slice(from, from + MOVED_PAGE));
      if (slices.isOver) await slices.next();
    }
  }

  /** Whether more of a change is needed than its columns: for most it is not. */
  #asksForAll({ kind }: Change, doc: KnownMessage | undefined): boolean {
    if (kind === KIND.deleted) return true;
    return doc !== undefined && kind !== KIND.edited && (kind === KIND.moved || doc.senderId === this.viewer.userId);
  }

  /**
   * @param doc undefined for a message that is gone, or that the viewer may not read
   * @param moved takes messages that others moved, each once
   */
  #change(change: Change, row: ChangeRow | undefined, doc: KnownMessage | undefined, moved: number[]): void {
    const { kind, messageId, position } = change;
    if (kind === KIND.deleted && row !== undefined) {
      const { place, count } = row;
      if (this.#wasTold(conversationOf(place), messageId) && this.#couldKnow(place, position))
        this.#toldAt(place).deleted += count;
    }
    if (doc === undefined) return;
    if (kind === KIND.edited || row?.isReworded === true)
      this.#toldOf(doc.conversation, doc.topicKey, doc.topic).edited.add(messageId);
    if (row === undefined) return;
    if (kind === KIND.moved) this.#move(row, position, moved);
    if (doc.senderId === this.viewer.userId) this.#react(row);
  }

  #move({ place, to, by, count, ids = [] }: ChangeRow, position: number, moved: number[]): void {
    if (to === undefined || !('channelId' in place)) return;
    // The message may have left both since: who may read it now may know nothing of them.
    const [knowsFrom, knowsTo] = [this.#couldKnow(place, position), this.#couldKnow(to, position)];
    if (place.channelId === to.channelId && isResolution(place.topic, to.topic)) {
      if (!knowsTo) return;
      const told = this.#toldAt(to);
      const isResolved = to.topic.endsWith(place.topic);
      told.resolvedBy = isResolved ? by : undefined;
      told.unresolvedBy = isResolved ? undefined : by;
      return;
    }
    if (knowsFrom) this.#toldAt(place).movedOut += count;
    if (knowsTo) this.#toldAt(to).movedIn += count;
    for (const id of idsIn(ids)) {
      if (this.#moved.has(id)) continue;
      if (this.#moved.size === MOVED_MAX) {
        this.cut();
        return;
      }
      this.#moved.add(id);
      moved.push(id);
    }
  }

  #react(row: ChangeRow): void {
    const { kind, messageId, by, emoji } = row;
    const key = `${messageId}/${by}/${emoji?.reactionType}/${emoji?.emojiCode}`;
    if (kind === KIND.reacted) this.#reactions.set(key, row);
    if (kind === KIND.unreacted) this.#reactions.delete(key);
  }

  async #mineAmong(ids: readonly number[]): Promise<number> {
    const mine = where.and(where.in('$key', ids), where.eq('senderId', this.viewer.userId));
    return (await this.messages.findIds(mine, 'ascending', ids.length)).length;
  }

  /** Whether the viewer hears of a conversation: of their direct ones, and of channels that they are subscribed to. */
  hearsOf(conversation: string): boolean {
    let known = this.#readable.get(conversation);
    if (known === undefined) {
      known = this.#isReadableNow(conversation);
      this.#readable.set(conversation, known);
    }
    return known;
  }

  #isReadableNow(conversation: string): boolean {
    const { directory, viewer } = this;
    const place = parseConversation(conversation);
    if ('participants' in place) return place.participants.includes(viewer.userId);
    const channel = directory.channel(place.channelId);
    if (channel === undefined || !directory.isSubscribed(viewer.userId, place.channelId)) return false;
    return mayReadChannel(directory, viewer, channel);
  }

  /** Whether the message came to them where it is now. */
  #wasTold(conversation: string, messageId: number): boolean {
    if (!this.hearsOf(conversation)) return false;
    const place = parseConversation(conversation);
    if ('participants' in place) return true;
    return this.directory.wasSubscribedForMessage(this.viewer.userId, place.channelId, messageId);
  }

  /** Whether they may know of what happened there at a position of the log: not, where they could not read at the time. */
  #couldKnow(place: Place, position: number): boolean {
    if (!this.hearsOf(conversationOf(place))) return false;
    if (!('channelId' in place)) return true;
    const { directory, viewer } = this;
    const channel = directory.channel(place.channelId);
    if (channel === undefined) return false;
    if (hasSharedHistory(channel) && mayReadUnsubscribed(directory, viewer, channel)) return true;
    return directory.wasSubscribedAt(viewer.userId, place.channelId, position);
  }

  #mayRead(id: number, doc: KnownMessage): boolean {
    return this.hearsOf(doc.conversation) && mayReadMessage(this.directory, this.viewer, located(id, doc));
  }

  /** Where a protected history asks how each message arrived, it is looked up. */
  async #checked(conversation: string, rows: readonly SenderRow[]): Promise<readonly SenderRow[]> {
    const place = parseConversation(conversation);
    const channel = 'channelId' in place ? this.directory.channel(place.channelId) : undefined;
    if (channel === undefined || hasSharedHistory(channel)) return rows;
    const docs = await this.known.getMany(rows.map(({ id }) => id));
    return rows.filter(({ id }) => {
      const doc = docs.get(id);
      return doc !== undefined && this.#mayRead(id, doc);
    });
  }

  #toldAt(place: Place): Told {
    const topic = 'topic' in place ? place.topic : '';
    return this.#toldOf(conversationOf(place), topicKeyOf(topic), topic);
  }

  #toldOf(conversation: string, topicKey: string, topic?: string): Told {
    const key = `${conversation}/${topicKey}`;
    let told = this.conversations.get(key);
    if (told === undefined) {
      told = {
        conversation,
        topicKey,
        topic: undefined,
        sent: 0,
        firstId: 0,
        lastId: 0,
        senderIds: new Set(),
        edited: new Set(),
        movedIn: 0,
        movedOut: 0,
        deleted: 0,
        resolvedBy: undefined,
        unresolvedBy: undefined,
      };
      this.conversations.set(key, told);
    }
    told.topic = topic ?? told.topic;
    return told;
  }
}

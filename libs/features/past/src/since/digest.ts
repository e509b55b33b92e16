import { idsIn } from '#kernel';
import {
  conversationOf,
  isResolution,
  located,
  mayReadMessage,
  type MessageDocument,
  type MessagesReader,
  parseConversation,
  type Place,
  type SenderRow,
  topicKeyOf,
} from '#messages';
import type { Directory } from '#people';
import { hasSharedHistory, mayReadChannel } from '#channels/model';
import type { User } from '#users/model';
import { where } from '#read-store';
import type { ChangeRow } from './recent-changes.projection.js';

/** Items that an answer lists of each kind; what is beyond is counted. */
export const LISTED_MAX = 50;
const SENDERS_MAX = 10;
/** Changed messages that are looked at one by one. */
const CHANGED_MAX = 2_000;

/** Place and sender of a message. */
export interface PlaceOfMessage extends SenderRow {
  readonly conversation: string;
  readonly topicKey: string;
}

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
  readonly reactions: ChangeRow[] = [];
  /** Too much was changed to look at all of it. */
  isCut = false;
  readonly #readable = new Map<string, boolean>();

  constructor(
    private readonly directory: Directory,
    private readonly viewer: User,
    private readonly messages: MessagesReader,
  ) {}

  /** Messages that came; what the viewer sent is not news to them. */
  async sent(rows: readonly PlaceOfMessage[]): Promise<void> {
    const theirs = rows.filter(({ id, senderId, conversation }) => {
      return senderId !== this.viewer.userId && this.#wasTold(conversation, id);
    });
    for (const row of await this.#checked(theirs)) {
      const told = this.#toldOf(row.conversation, row.topicKey);
      told.sent++;
      told.firstId = told.firstId === 0 ? row.id : Math.min(told.firstId, row.id);
      told.lastId = Math.max(told.lastId, row.id);
      if (told.senderIds.size < SENDERS_MAX) told.senderIds.add(row.senderId);
    }
  }

  async mentioned(afterId: number): Promise<void> {
    const { userId } = this.viewer;
    const range = where.range('$key', { gt: afterId });
    const found = where.and(where.contains('singledOut', userId), range);
    this.mentionCount = 0;
    for (const { id, doc } of await this.messages.find(found, 'descending', LISTED_MAX + 1)) {
      if (doc.senderId === userId || !this.#mayRead(id, doc)) continue;
      this.mentionCount++;
      const { senderId, conversation, topicKey } = doc;
      if (this.mentions.length < LISTED_MAX) this.mentions.push({ id, senderId, conversation, topicKey });
    }
  }

  /** @param rows in the order of the log */
  async changed(rows: readonly ChangeRow[]): Promise<void> {
    const others = rows.filter(({ by, place }) => by !== this.viewer.userId && this.#concerns(place));
    const named = new Set<number>();
    for (const { kind, messageId } of others) if (kind !== 'deleted') named.add(messageId);
    if (named.size > CHANGED_MAX) this.isCut = true;
    const docs = await this.messages.getManyLean([...named].slice(-CHANGED_MAX));
    for (const row of others) await this.#change(row, docs.get(row.messageId));
  }

  async #change(row: ChangeRow, doc: MessageDocument | undefined): Promise<void> {
    const { kind, messageId, count, place, to, by } = row;
    if (kind === 'deleted') {
      if (this.#wasTold(conversationOf(place), messageId)) this.#toldAt(place).deleted += count;
      return;
    }
    // Who may not read it today hears nothing of it.
    if (doc === undefined || !this.#mayRead(messageId, doc)) return;
    if (kind === 'edited' || row.isReworded === true)
      this.#toldOf(doc.conversation, doc.topicKey, doc.topic).edited.add(messageId);
    if (kind === 'moved' && to !== undefined && 'channelId' in place) {
      const isSame = place.channelId === to.channelId;
      if (isSame && isResolution(place.topic, to.topic)) {
        const told = this.#toldAt(to);
        const isResolved = to.topic.endsWith(place.topic);
        told.resolvedBy = isResolved ? by : undefined;
        told.unresolvedBy = isResolved ? undefined : by;
        return;
      }
      if (this.#isReadable(conversationOf(place))) this.#toldAt(place).movedOut += count;
      if (this.#isReadable(conversationOf(to))) this.#toldAt(to).movedIn += count;
      this.movedMine += await this.#mineAmong(row);
    }
    if (doc.senderId === this.viewer.userId) this.#react(row);
  }

  #react(row: ChangeRow): void {
    if (row.kind === 'reacted') this.reactions.push(row);
    if (row.kind !== 'unreacted') return;
    const at = this.reactions.findLastIndex(
      ({ messageId, by, emoji }) =>
        messageId === row.messageId && by === row.by && emoji?.emojiCode === row.emoji?.emojiCode,
    );
    if (at !== -1) this.reactions.splice(at, 1);
  }

  async #mineAmong({ ids = [] }: ChangeRow): Promise<number> {
    const listed = idsIn(ids).slice(0, CHANGED_MAX);
    const mine = where.and(where.in('$key', listed), where.eq('senderId', this.viewer.userId));
    return (await this.messages.findIds(mine, 'ascending', listed.length)).length;
  }

  /** Conversations that the viewer hears of: their direct ones, and of channels that they are subscribed to. */
  #isReadable(conversation: string): boolean {
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

  #concerns(place: Place): boolean {
    return 'channelId' in place || place.to.includes(this.viewer.userId);
  }

  /** Whether the message came to them where it is now. */
  #wasTold(conversation: string, messageId: number): boolean {
    if (!this.#isReadable(conversation)) return false;
    const place = parseConversation(conversation);
    if ('participants' in place) return true;
    return this.directory.wasSubscribedForMessage(this.viewer.userId, place.channelId, messageId);
  }

  #mayRead(id: number, doc: MessageDocument): boolean {
    return this.#isReadable(doc.conversation) && mayReadMessage(this.directory, this.viewer, located(id, doc));
  }

  /** Where a protected history asks how each message arrived, it is looked up. */
  async #checked(rows: readonly PlaceOfMessage[]): Promise<readonly PlaceOfMessage[]> {
    const isProtected = ({ conversation }: PlaceOfMessage): boolean => {
      const place = parseConversation(conversation);
      const channel = 'channelId' in place ? this.directory.channel(place.channelId) : undefined;
      return channel !== undefined && !hasSharedHistory(channel);
    };
    const asked = rows.filter(isProtected);
    if (asked.length === 0) return rows;
    const docs = await this.messages.getManyLean(asked.map(({ id }) => id));
    return rows.filter((row) => {
      if (!isProtected(row)) return true;
      const doc = docs.get(row.id);
      return doc !== undefined && this.#mayRead(row.id, doc);
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

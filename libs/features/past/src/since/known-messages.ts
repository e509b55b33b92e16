import type { MessageDocument, MessagesReader } from '#messages';
import type { RecentRows } from '#reading';

/** What the digest asks of a message. */
export type KnownMessage = Pick<MessageDocument, 'conversation' | 'topicKey' | 'topic' | 'senderId' | 'arrivals'>;

/** Messages that are read from the read store for one digest. */
const READ_MAX = 5_000;

/** Messages as they are now: recent ones from memory, a bounded number of others from the read store. */
export class KnownMessages {
  #read = 0;

  constructor(
    private readonly recent: RecentRows,
    private readonly messages: MessagesReader,
  ) {}

  /** More was asked for than is read. */
  get isCut(): boolean {
    return this.#read > READ_MAX;
  }

  /** Existing messages by ID; of those that must be read, as many as the bound allows. */
  async getMany(ids: Iterable<number>): Promise<Map<number, KnownMessage>> {
    const found = new Map<number, KnownMessage>();
    const others: number[] = [];
    for (const id of ids) {
      if (this.recent.covers(id)) {
        const row = this.recent.get(id);
        if (row !== undefined) found.set(id, row);
      } else others.push(id);
    }
    const room = Math.max(0, READ_MAX - this.#read);
    this.#read += others.length;
    if (others.length === 0 || room === 0) return found;
    for (const [id, doc] of await this.messages.getManyLean(others.slice(-room))) found.set(id, doc);
    return found;
  }
}

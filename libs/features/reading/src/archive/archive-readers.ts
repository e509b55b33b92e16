import { located, mayReadMessage, type MessageDocument, parseConversation } from '#messages';
import type { Directory } from '#people';
import { hasSharedHistory, mayReadChannel } from '#channels/model';
import { ROLE, SPECTATOR, type User } from '#users/model';

/** Reads what all members may read: a member without subscriptions, who holds no permission. */
const MEMBER_AT_LARGE: User = { ...SPECTATOR, userId: -1, role: ROLE.member };

/** The people for whose eyes an archive is made: it holds what at least one of them may read. */
export class ArchiveReaders {
  readonly #people: ReadonlyMap<number, User>;
  /** Readers of each channel; asked once for some thousand messages. */
  readonly #ofChannels = new Map<number, readonly User[]>();

  /** @param people who allow it, beside what all members may read */
  constructor(
    private readonly directory: Directory,
    people: readonly User[],
  ) {
    this.#people = new Map(people.map((user) => [user.userId, user]));
  }

  /** The reader through whose eyes the message and its history are seen; undefined when nobody may read it. */
  of(messageId: number, doc: Pick<MessageDocument, 'conversation' | 'arrivals'>): User | undefined {
    const place = parseConversation(doc.conversation);
    if ('participants' in place) {
      for (const userId of place.participants) {
        const user = this.#people.get(userId);
        if (user !== undefined) return user;
      }
      return undefined;
    }
    const channel = this.directory.channel(place.channelId);
    if (channel === undefined) return undefined;
    const readers = this.ofChannel(place.channelId);
    if (hasSharedHistory(channel)) return readers[0];
    const message = located(messageId, doc);
    return readers.find((user) => mayReadMessage(this.directory, user, message));
  }

  ofChannel(channelId: number): readonly User[] {
    let readers = this.#ofChannels.get(channelId);
    if (readers === undefined) {
      const channel = this.directory.channel(channelId);
      const all = [MEMBER_AT_LARGE, ...this.#people.values()];
      readers = channel === undefined ? [] : all.filter((user) => mayReadChannel(this.directory, user, channel));
      this.#ofChannels.set(channelId, readers);
    }
    return readers;
  }
}

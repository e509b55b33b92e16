import {
  conversationOf,
  located,
  mayReadMessage,
  type MessageDeleted,
  type MessageDocument,
  type MessagesMoved,
  type Place,
} from '#messages';
import { hasSharedHistory, mayReadChannel } from '#channels/model';
import type { Directory } from '#people';
import type { User } from '#users/model';

/**
 * Access check at delivery: what a recipient may see now of a message event. A user who has lost access to a message is
 * not told about it any more, and no user learns of a place that they may not read.
 */
export class DeliveryAccess {
  constructor(private readonly directory: Directory) {}

  /** Whether the recipient may read the message at its current place, and its place at the event. */
  mayReadSince(viewer: User, messageId: number, then: Place, now: MessageDocument | undefined): boolean {
    if (now === undefined) return false;
    if (!mayReadMessage(this.directory, viewer, located(messageId, now))) return false;
    return now.arrivals === undefined || this.mayReadPlace(viewer, then);
  }

  /** Whether the recipient could read the deleted message if it still existed. */
  mayHaveRead(
    viewer: User,
    { messageId, place, arrival }: Pick<MessageDeleted['data'], 'messageId' | 'place' | 'arrival'>,
  ): boolean {
    const arrivals =
      arrival === undefined || 'to' in place ? undefined : [{ channelId: place.channelId, position: arrival }];
    return mayReadMessage(this.directory, viewer, { messageId, conversation: conversationOf(place), arrivals });
  }

  /** Whether the recipient may read messages at this place. */
  mayReadPlace(viewer: User, place: Place): boolean {
    if ('to' in place) return place.to.includes(viewer.userId);
    const channel = this.directory.channel(place.channelId);
    return channel !== undefined && mayReadChannel(this.directory, viewer, channel);
  }

  /**
   * Of the moved messages, those that the recipient could read before, split by whether they can read them after the
   * move.
   */
  partMoved(
    viewer: User,
    { from, to }: MessagesMoved['data'],
    ids: readonly number[],
    position: number,
    docs: ReadonlyMap<number, MessageDocument>,
  ): { readonly kept: readonly number[]; readonly lost: readonly number[] } {
    const before = this.#readableBefore(viewer, from.channelId, ids, position, docs);
    if (before.length === 0 || from.channelId === to.channelId) return { kept: before, lost: NONE };
    return this.#mayReadAfter(viewer, to.channelId, position)
      ? { kept: before, lost: NONE }
      : { kept: NONE, lost: before };
  }

  #readableBefore(
    viewer: User,
    channelId: number,
    ids: readonly number[],
    position: number,
    docs: ReadonlyMap<number, MessageDocument>,
  ): readonly number[] {
    const { directory } = this;
    const channel = directory.channel(channelId);
    if (channel === undefined || !mayReadChannel(directory, viewer, channel)) return NONE;
    if (hasSharedHistory(channel)) return ids;
    return ids.filter((id) => {
      const arrival = docs.get(id)?.arrivals?.findLast((one) => one.position < position);
      return arrival === undefined
        ? directory.wasSubscribedForMessage(viewer.userId, channelId, id)
        : directory.wasSubscribedAt(viewer.userId, channelId, arrival.position);
    });
  }

  /** In a channel with protected history, only users who were subscribed when the messages arrived may read them. */
  #mayReadAfter(viewer: User, channelId: number, position: number): boolean {
    const channel = this.directory.channel(channelId);
    if (channel === undefined || !mayReadChannel(this.directory, viewer, channel)) return false;
    return hasSharedHistory(channel) || this.directory.wasSubscribedAt(viewer.userId, channelId, position);
  }
}

const NONE: readonly number[] = [];

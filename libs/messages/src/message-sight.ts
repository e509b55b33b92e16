import { hasSharedHistory, mayReadChannel, type Directory, type User } from '#organization';
import { located, mayReadMessage } from './message.access.js';
import type { MessageDeleted, MessagesMoved, Place } from './messages.events.js';
import { conversationOf } from './place.js';
import type { MessageDocument } from './projections/message.document.js';

/**
 * What a recipient of client events may see now of what a fact said then (DESIGN, decision 13 and "On the wire"). Whoever
 * lost sight of a message since is not told about it any more, and nobody ever learns of a place that they may not read.
 */
export class MessageSight {
  constructor(private readonly directory: Directory) {}

  /** Whether the recipient may read the message where it stands now, and the place where it stood then. */
  mayReadSince(viewer: User, messageId: number, then: Place, now: MessageDocument | undefined): boolean {
    if (now === undefined) return false;
    if (!mayReadMessage(this.directory, viewer, located(messageId, now))) return false;
    return now.arrivals === undefined || this.mayReadPlace(viewer, then);
  }

  /** Whether the recipient could read the message that was deleted, were it still there. */
  mayHaveRead(
    viewer: User,
    { messageId, place, arrival }: Pick<MessageDeleted['data'], 'messageId' | 'place' | 'arrival'>,
  ): boolean {
    const arrivals =
      arrival === undefined || 'to' in place ? undefined : [{ channelId: place.channelId, position: arrival }];
    return mayReadMessage(this.directory, viewer, { messageId, conversation: conversationOf(place), arrivals });
  }

  /** Whether the recipient may read anything at this place. */
  mayReadPlace(viewer: User, place: Place): boolean {
    if ('to' in place) return place.to.includes(viewer.userId);
    const channel = this.directory.channel(place.channelId);
    return channel !== undefined && mayReadChannel(this.directory, viewer, channel);
  }

  /** Of moved messages, those that the recipient could read before, parted by whether they can read them after the move. */
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

  /** Whoever was subscribed when messages came to a channel with protected history has them, and nobody else. */
  #mayReadAfter(viewer: User, channelId: number, position: number): boolean {
    const channel = this.directory.channel(channelId);
    if (channel === undefined || !mayReadChannel(this.directory, viewer, channel)) return false;
    return hasSharedHistory(channel) || this.directory.wasSubscribedAt(viewer.userId, channelId, position);
  }
}

const NONE: readonly number[] = [];

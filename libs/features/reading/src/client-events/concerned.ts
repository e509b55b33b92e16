import { type ChannelPlace, conversationOf, type MessageDocument, parseConversation, type Place } from '#messages';
import type { Directory } from '#people';
import { hasReceived } from '../flags/message-flags.js';

/** Place of a message at an event, and the event's position. */
export interface Where {
  readonly place: Place;
  readonly position: number;
  /** The place from which an earlier event of the same move brought it there. */
  readonly arrived?: ChannelPlace | undefined;
}

/** What is known of messages and of those who have them. */
export interface Known {
  /** Messages in their current state, without content. */
  readonly docs: ReadonlyMap<number, MessageDocument>;
  /** Users who put messages into their history. */
  readonly holders: ReadonlyMap<number, ReadonlySet<number>>;
}

/**
 * Whether a change to the message concerns the user: they were subscribed to its place, or have it in their history.
 */
export function isConcerned(
  directory: Directory,
  { docs, holders }: Known,
  userId: number,
  messageId: number,
  { place, position, arrived }: Where,
): boolean {
  if ('to' in place) return true;
  if (directory.wasSubscribedAt(userId, place.channelId, position)) return true;
  if (holders.get(messageId)?.has(userId) === true) return true;
  const doc = docs.get(messageId);
  return doc !== undefined && hasReceived(directory, userId, messageId, asOf(doc, { place, position, arrived }));
}

/** The message at this place, before the event at this position. */
function asOf(doc: MessageDocument, { place, position, arrived }: Where): MessageDocument {
  if (doc.arrivals === undefined) return doc;
  const arrivals = doc.arrivals.filter((arrival) => arrival.position < position);
  if (arrived !== undefined && arrivals.at(-1)?.channelId === arrived.channelId) arrivals.pop();
  return { ...doc, conversation: conversationOf(place), arrivals };
}

/** Messages that came the same way: who was subscribed all along has those that were sent to them. */
interface Group {
  readonly sentTo: number;
  readonly arrivals: NonNullable<MessageDocument['arrivals']>;
  readonly ids: number[];
}

/**
 * Who has at least one of some messages in their history. Most users are ruled out by a few look-ups, however many messages
 * there are.
 */
export class HoldersOfAny {
  readonly #own = new Set<number>();
  /** Messages that are addressed to users, by user ID. */
  readonly #addressed = new Map<number, [id: number, doc: MessageDocument][]>();
  readonly #groups = new Map<string, Group>();

  constructor(
    private readonly directory: Directory,
    { docs, holders }: Known,
    ids: Iterable<number>,
    where: Where,
  ) {
    for (const id of ids) {
      for (const userId of holders.get(id) ?? []) this.#own.add(userId);
      const now = docs.get(id);
      if (now !== undefined) this.#add(id, asOf(now, where));
    }
  }

  #add(id: number, doc: MessageDocument): void {
    for (const userId of new Set([doc.senderId, ...(doc.mentions ?? []), ...(doc.unmentioned ?? [])])) {
      const addressed = this.#addressed.get(userId);
      if (addressed === undefined) this.#addressed.set(userId, [[id, doc]]);
      else addressed.push([id, doc]);
    }
    const place = parseConversation(doc.conversation);
    if ('participants' in place) return;
    const { sentTo = place.channelId, arrivals = [] } = doc;
    const key = [sentTo, ...arrivals.map(({ channelId, position }) => `${channelId}@${position}`)].join();
    const group = this.#groups.get(key);
    if (group === undefined) this.#groups.set(key, { sentTo, arrivals, ids: [id] });
    else group.ids.push(id);
  }

  has(userId: number): boolean {
    if (this.#own.has(userId)) return true;
    const addressed = this.#addressed.get(userId) ?? [];
    if (addressed.some(([id, doc]) => hasReceived(this.directory, userId, id, doc))) return true;
    for (const group of this.#groups.values()) if (this.#hasReceivedOf(userId, group)) return true;
    return false;
  }

  #hasReceivedOf(userId: number, { sentTo, arrivals, ids }: Group): boolean {
    const { directory } = this;
    if (directory.subscription(userId, sentTo) === undefined) return false;
    if (!arrivals.every(({ channelId, position }) => directory.wasSubscribedAt(userId, channelId, position)))
      return false;
    return ids.some((id) => directory.wasSubscribedForMessage(userId, sentTo, id));
  }
}

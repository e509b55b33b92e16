import { messageIdOf, type Recorded } from '#event-store';
import type { Audience, FeedEntry } from '#feed';
import { unreachable } from '#kernel';
import { mayReadChannel, type Directory } from '#organization';
import type { MessageEvent, MessageSent, Place } from './messages.events.js';

/** A fact as the log tells it: what client events about messages follow from. */
export type MessageFact = MessageSent | MessageEvent;

export const MESSAGE_FACTS: ReadonlySet<string> = new Set<MessageFact['type']>([
  'message.sent.v1',
  'message.edited.v1',
  'messages.moved.v1',
  'message.deleted.v1',
  'messages.deleted.v1',
  'reaction.added.v1',
  'reaction.removed.v1',
  'submessage.added.v1',
]);

/** Body of a `message` entry: the text stays in the log, where it is once. */
export interface SentBody {
  readonly messageId: number;
  readonly queueId?: string;
  readonly localId?: string;
}

/**
 * What a fact says to clients, and to whom (events.md §2). The facts about what is there already are short and rare, so
 * they are their entries' bodies; which of them a recipient may see, and how, is decided at delivery.
 */
export function entriesOf(recorded: Recorded, directory: Directory): readonly FeedEntry[] {
  const fact = { type: recorded.type, data: recorded.data as unknown } as MessageFact;
  switch (fact.type) {
    case 'message.sent.v1':
      return [sentEntry(recorded, fact.data, directory)];
    case 'message.edited.v1': {
      const { place } = fact.data;
      return [{ type: 'update_message', audience: knowersOf(place), body: { edit: fact.data } }];
    }
    case 'messages.moved.v1': {
      const { from, to } = fact.data;
      const [audience, body] = [knowersOf(from), { move: fact.data }];
      const update = { type: 'update_message', audience, body };
      return from.channelId === to.channelId ? [update] : [update, { type: 'delete_message', audience, body }];
    }
    case 'message.deleted.v1':
      return [{ type: 'delete_message', audience: knowersOf(fact.data.place), body: { deletion: fact.data } }];
    case 'messages.deleted.v1':
      return [{ type: 'delete_message', audience: knowersOf(fact.data.place), body: { deletions: fact.data } }];
    case 'reaction.added.v1':
      return [reactionEntry('add', fact.data)];
    case 'reaction.removed.v1':
      return [reactionEntry('remove', fact.data)];
    case 'submessage.added.v1':
      return [{ type: 'submessage', audience: knowersOf(fact.data.place), body: { submessage: fact.data } }];
    default:
      return unreachable(fact);
  }
}

function reactionEntry(
  op: 'add' | 'remove',
  data: Extract<MessageFact, { type: 'reaction.added.v1' }>['data'],
): FeedEntry {
  return { type: 'reaction', audience: knowersOf(data.place), body: { op, reaction: data } };
}

function sentEntry(recorded: Recorded, data: MessageSent['data'], directory: Directory): FeedEntry {
  const { queueId, localId } = recorded.metadata;
  const body: SentBody = { messageId: messageIdOf(recorded.revision) };
  const echoed =
    typeof queueId === 'string' && typeof localId === 'string' ? { ...body, queueId, localId } : { ...body };
  return { type: 'message', audience: sentAudience(data, directory), body: echoed };
}

/** Subscribers, and of the sender and those mentioned the ones that may read the channel without being subscribed. */
function sentAudience(data: MessageSent['data'], directory: Directory): Audience {
  const { channelId, to, senderId, mentions } = data;
  if (channelId === undefined) return { to: 'users', ids: to ?? [] };
  const channel = directory.channel(channelId);
  const others = (mentions === undefined ? [senderId] : [senderId, ...mentions]).filter((userId) => {
    if (directory.isSubscribed(userId, channelId)) return false;
    const user = directory.user(userId);
    return user !== undefined && channel !== undefined && mayReadChannel(directory, user, channel);
  });
  return others.length === 0
    ? { to: 'subscribers', channelId }
    : { to: 'subscribers', channelId, and: [...new Set(others)] };
}

/** Whoever may know of the place: many hold messages without being subscribed, and who does is asked at delivery. */
function knowersOf(place: Place): Audience {
  return 'to' in place ? { to: 'users', ids: place.to } : { to: 'channel-knowers', channelId: place.channelId };
}

import { messageIdOf, type RecordedOf } from '#event-store';
import type { Audience, Derivations, FeedEntry } from '#feed';
import type { MessageEvent, MessageSent, Place } from '#messages';
import { mayReadChannel } from '#channels/model';
import type { Directory } from '#people';

/** Events of the log from which client events about messages are derived. */
export type MessageDomainEvent = MessageSent | MessageEvent;

/** Body of a `message` entry: the text stays in the log, where it is stored once. */
export interface SentBody {
  readonly messageId: number;
  readonly queueId?: string;
  readonly localId?: string;
}

/**
 * Client events about messages, and their audiences (events.md §2). Events about existing messages are short and rare,
 * so their data are the bodies of their entries; access and presentation are decided at delivery.
 */
export const messageEntries: Derivations<MessageDomainEvent> = {
  'message.sent.v1': (event, directory) => [sentEntry(event, directory)],
  'message.edited.v1': ({ data }) => [
    { type: 'update_message', audience: knowersOf(data.place), body: { edit: data } },
  ],
  'messages.moved.v1': ({ data }) => {
    const { from, to } = data;
    const [audience, body] = [knowersOf(from), { move: data }];
    if (from.channelId === to.channelId) return [{ type: 'update_message', audience, body }];
    // Sent even when the old channel has been archived since, to clients that do not know archived channels as well: the
    // messages are in the new one.
    const update = {
      type: 'update_message',
      audience: { to: 'knowers-of-any', channelIds: [from.channelId] },
      body,
    } as const;
    const regained = { audience: knowersOf(to), body: { regaining: { ids: data.ids, from, to } } };
    return [
      update,
      { type: 'delete_message', audience, body },
      // These users' clients may have the messages at their old place, which is deleted before they are told of the new
      // one.
      { type: 'delete_message', ...regained },
      { type: 'message', ...regained },
    ];
  },
  'message.deleted.v1': ({ data }) => [
    { type: 'delete_message', audience: knowersOf(data.place), body: { deletion: data } },
  ],
  'messages.deleted.v1': ({ data }) => [
    { type: 'delete_message', audience: knowersOf(data.place), body: { deletions: data } },
  ],
  'messages.expired.v1': ({ data }) => [
    { type: 'delete_message', audience: knowersOf(data.place), body: { deletions: data } },
  ],
  'reaction.added.v1': ({ data }) => [reactionEntry('add', data)],
  'reaction.removed.v1': ({ data }) => [reactionEntry('remove', data)],
  'submessage.added.v1': ({ data }) => [
    { type: 'submessage', audience: knowersOf(data.place), body: { submessage: data } },
  ],
};

function reactionEntry(
  op: 'add' | 'remove',
  data: Extract<MessageDomainEvent, { type: 'reaction.added.v1' }>['data'],
): FeedEntry {
  return { type: 'reaction', audience: knowersOf(data.place), body: { op, reaction: data } };
}

function sentEntry({ data, metadata, revision }: RecordedOf<MessageSent>, directory: Directory): FeedEntry<SentBody> {
  const { queueId, localId } = metadata;
  const body: SentBody = { messageId: messageIdOf(revision) };
  const echoed = typeof queueId === 'string' && typeof localId === 'string' ? { ...body, queueId, localId } : body;
  return { type: 'message', audience: sentAudience(data, directory), body: echoed };
}

/** Subscribers, plus the sender and mentioned users who may read the channel without being subscribed. */
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

/** Users who may know of the place: many hold messages without being subscribed, which is checked at delivery. */
function knowersOf(place: Place): Audience {
  return 'to' in place ? { to: 'users', ids: place.to } : { to: 'channel-knowers', channelId: place.channelId };
}

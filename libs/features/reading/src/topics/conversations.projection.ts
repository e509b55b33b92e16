import { messageIdOf } from '#event-store';
import type { Ranges } from '#kernel';
import {
  directConversation,
  type MessageDeleted,
  type MessagesDeleted,
  type MessagesExpired,
  type MessageSent,
  type MessagesMoved,
  type Place,
  placeOf,
  topicKeyOf,
} from '#messages';
import { projection } from '#read-store';
import { conversationsCollection, topicConversationKey, type ConversationDocument } from './conversation.document.js';

type Handled = MessageSent | MessagesMoved | MessageDeleted | MessagesDeleted | MessagesExpired;

/** Topics and direct conversations. One small write per message, however many users read it. */
export const conversationsProjection = projection<ConversationDocument, Handled>(conversationsCollection, {
  'message.sent.v1': {
    keys: ({ data }) => [keyOf(placeOf(data))],
    evolve: (doc, { data, revision }) => grown(doc, placeOf(data), messageIdOf(revision), 1),
  },
  'message.deleted.v1': {
    keys: ({ data }) => [keyOf(data.place)],
    evolve: (doc) => shrunk(doc, 1),
  },
  'messages.deleted.v1': {
    keys: ({ data }) => [keyOf(data.place)],
    evolve: (doc, { data }) => shrunk(doc, countOf(data.ids)),
  },
  'messages.expired.v1': {
    keys: ({ data }) => [keyOf(data.place)],
    evolve: (doc, { data }) => shrunk(doc, countOf(data.ids)),
  },
  'messages.moved.v1': {
    keys({ data }) {
      const [from, to] = [keyOf(data.from), keyOf(data.to)];
      return from === to ? [] : [from, to];
    },
    evolve: (doc, { data: { ids, from, to } }, key) =>
      key === keyOf(from) ? shrunk(doc, countOf(ids)) : grown(doc, to, lastOf(ids), countOf(ids)),
  },
});

function keyOf(place: Place): string {
  return 'to' in place ? directConversation(place.to) : topicConversationKey(place.channelId, topicKeyOf(place.topic));
}

function grown(doc: ConversationDocument | undefined, place: Place, maxId: number, by: number): ConversationDocument {
  if (doc !== undefined) return { ...doc, maxId: Math.max(doc.maxId, maxId), count: doc.count + by };
  return { ...('to' in place ? { participants: place.to } : { channelId: place.channelId }), maxId, count: by };
}

function shrunk(doc: ConversationDocument | undefined, by: number): ConversationDocument | undefined {
  return doc === undefined || doc.count <= by ? undefined : { ...doc, count: doc.count - by };
}

function countOf(ids: Ranges): number {
  return ids.reduce((count, [first, last]) => count + last - first + 1, 0);
}

function lastOf(ids: Ranges): number {
  return ids.at(-1)?.[1] ?? 0;
}

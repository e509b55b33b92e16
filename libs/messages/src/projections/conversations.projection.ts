import { messageIdOf } from '#event-store';
import type { Ranges } from '#kernel';
import type { Projection } from '#read-store';
import type { MessageDeleted, MessagesDeleted, MessageSent, MessagesMoved, Place } from '../messages.events.js';
import { directConversation, placeOf, topicKeyOf } from '../place.js';
import { conversationsCollection, topicConversationKey, type ConversationDocument } from './conversation.document.js';

type Handled = MessageSent | MessagesMoved | MessageDeleted | MessagesDeleted;

const handles = new Set<Handled['type']>([
  'message.sent.v1',
  'messages.moved.v1',
  'message.deleted.v1',
  'messages.deleted.v1',
]);

/** Which topics and direct conversations there are. One small write a message, however many read it. */
export const conversationsProjection: Projection<ConversationDocument> = {
  collection: conversationsCollection,
  handles,

  keys(event) {
    const fact = event as unknown as Handled;
    if (fact.type !== 'messages.moved.v1')
      return [{ key: keyOf(fact.type === 'message.sent.v1' ? placeOf(fact.data) : fact.data.place) }];
    const [from, to] = [keyOf(fact.data.from), keyOf(fact.data.to)];
    return from === to ? [] : [{ key: from }, { key: to }];
  },

  evolve(doc, event, key) {
    const fact = event as unknown as Handled;
    switch (fact.type) {
      case 'message.sent.v1':
        return grown(doc, placeOf(fact.data), messageIdOf(event.revision), 1);
      case 'message.deleted.v1':
        return shrunk(doc, 1);
      case 'messages.deleted.v1':
        return shrunk(doc, countOf(fact.data.ids));
      case 'messages.moved.v1': {
        const { ids, from, to } = fact.data;
        if (key === keyOf(from)) return shrunk(doc, countOf(ids));
        return grown(doc, to, lastOf(ids), countOf(ids));
      }
    }
  },
};

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

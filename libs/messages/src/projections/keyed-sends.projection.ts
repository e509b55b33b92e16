import { messageIdOf } from '#event-store';
import type { CollectionSchema, Projection } from '#read-store';

/** Which message was sent under a sender's key; the key is the hash of both. It outlives the message. */
export interface KeyedSendDocument {
  messageId: number;
  requestHash: string;
}

export const keyedSendsCollection = {
  name: 'keyed_sends',
  key: 'text',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

/** Messages that carry the key that they were sent under. Those without one, which most are, cost nothing. */
export const keyedSendsProjection: Projection<KeyedSendDocument> = {
  collection: keyedSendsCollection,
  handles: new Set(['message.sent.v1']),
  keys: ({ metadata }) => (typeof metadata['sendKey'] === 'string' ? [{ key: metadata['sendKey'] }] : []),
  // Were there ever two, the first one counts: it is what clients were told.
  evolve: (doc, { revision, metadata }) =>
    doc ?? { messageId: messageIdOf(revision), requestHash: metadata['requestHash'] as string },
};

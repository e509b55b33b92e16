import { messageIdOf } from '#event-store';
import { type CollectionSchema, projection } from '#read-store';
import type { MessageSent } from '../model/messages.events.js';

/**
 * The message sent under an idempotency key; the document's key is the hash of sender and key. It outlives the message.
 */
export interface IdempotentSendDocument {
  messageId: number;
  requestHash: string;
}

export const idempotentSendsCollection = {
  name: 'keyed_sends',
  key: 'text',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

/** Messages that were sent with an idempotency key. Messages without one, which are most, cost nothing. */
export const idempotentSendsProjection = projection<IdempotentSendDocument, MessageSent>(idempotentSendsCollection, {
  'message.sent.v1': {
    keys: ({ metadata }) => (typeof metadata['sendKey'] === 'string' ? [metadata['sendKey']] : []),
    // If there were ever two, the first one counts: it is what clients were told.
    evolve: (doc, { revision, metadata }) =>
      doc ?? { messageId: messageIdOf(revision), requestHash: metadata['requestHash'] as string },
  },
});

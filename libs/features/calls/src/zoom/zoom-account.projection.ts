import { type CollectionSchema, projection } from '#read-store';
import type { ZoomAccountEvent } from './zoom-account.events.js';

export interface ZoomAccountDocument {
  /** Encrypted. */
  tokens: string;
}

export const zoomAccountsCollection = {
  name: 'zoom_accounts',
  key: 'integer',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

/** Users' accounts at Zoom, a document for each user who has one. */
export const zoomAccountsProjection = projection<ZoomAccountDocument, ZoomAccountEvent>(zoomAccountsCollection, {
  'zoom-account.connected.v1': {
    keys: ({ data }) => [data.userId],
    evolve: (_doc, { data: { tokens } }) => ({ tokens }),
  },
  'zoom-account.refreshed.v1': {
    keys: ({ data }) => [data.userId],
    evolve: (_doc, { data: { tokens } }) => ({ tokens }),
  },
  // Without `evolve` the document is removed.
  'zoom-account.disconnected.v1': { keys: ({ data }) => [data.userId] },
});

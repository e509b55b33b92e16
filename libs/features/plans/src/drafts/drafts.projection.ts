import { type CollectionSchema, type Key, projection } from '#read-store';
import type { Draft, DraftEvent } from './drafts.events.js';

/** A draft of a user. */
export interface DraftDocument extends Draft {
  userId: number;
}

export const draftsCollection = {
  name: 'drafts',
  key: 'text',
  fields: { userId: 'integer', timestamp: 'integer' },
  indexes: [['userId', 'timestamp']],
} as const satisfies CollectionSchema;

/** Sorts by user and then by ID. */
export function draftKey(userId: number, draftId: number): string {
  return `${userId}:${String(draftId).padStart(16, '0')}`;
}

function draftIdOf(key: Key): number {
  return Number(String(key).split(':')[1]);
}

/** Current drafts, one document each. */
export const draftsProjection = projection<DraftDocument, DraftEvent>(draftsCollection, {
  'drafts.added.v1': {
    keys: ({ data }) => data.drafts.map(({ draftId }) => draftKey(data.userId, draftId)),
    creates: true,
    evolve(_doc, { data: { userId, drafts } }, key) {
      const id = draftIdOf(key);
      const draft = drafts.find(({ draftId }) => draftId === id);
      return draft === undefined ? undefined : { userId, ...draft };
    },
  },
  'draft.changed.v1': {
    keys: ({ data }) => [draftKey(data.userId, data.draft.draftId)],
    evolve: (_doc, { data: { userId, draft } }) => ({ userId, ...draft }),
  },
  // Without `evolve` the document is removed.
  'draft.removed.v1': { keys: ({ data }) => [draftKey(data.userId, data.draftId)] },
  // A store takes seconds to remove a thousand documents one by one, and removes a range at once.
  'drafts.erased.v1': {
    removes: ({ data: { userId, upTo } }) => [{ from: draftKey(userId, 1), below: draftKey(userId, upTo + 1) }],
  },
});

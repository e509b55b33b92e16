import type { RecordedEvent } from '#event-store';
import { idsIn, type Ranges } from '#kernel';
import type {
  MessageDeleted,
  MessageEdited,
  MessagesDeleted,
  MessagesExpired,
  MessagesMoved,
  Place,
  ReactionAdded,
  ReactionRemoved,
} from '#messages';
import { type CollectionSchema, projection } from '#read-store';

/** Kinds of changes, as numbers: a column is read without its document. */
export const KIND = { edited: 1, moved: 2, deleted: 3, reacted: 4, unreacted: 5 } as const;

/** What happened to messages that were sent before; the key is the position in the log. */
export interface ChangeRow {
  /** Seconds since the epoch. */
  readonly at: number;
  /** One of `KIND`. */
  readonly kind: number;
  /** Who did it; absent for the server. */
  readonly by?: number;
  /** The message; of several, the first. */
  readonly messageId: number;
  readonly count: number;
  /** Moved ones, as far as they are listed. */
  readonly ids?: Ranges;
  readonly place: Place;
  /** Where they moved. */
  readonly to?: { readonly channelId: number; readonly topic: string };
  /** The wording changed as well. */
  readonly isReworded?: true;
  readonly emoji?: Pick<ReactionAdded['data'], 'emojiName' | 'emojiCode' | 'reactionType'>;
}

/** Ranges of a move that a row lists: about a kilobyte. */
const RANGES_MAX = 50;

export const recentChangesCollection: CollectionSchema = {
  name: 'changes_by_position',
  key: 'integer',
  fields: { at: 'integer', kind: 'integer', by: 'integer', messageId: 'integer' },
  indexes: [],
};

type Handled =
  MessageEdited | MessagesMoved | MessageDeleted | MessagesDeleted | MessagesExpired | ReactionAdded | ReactionRemoved;

const keys = ({ position }: RecordedEvent): readonly number[] => [position];

/**
 * Changes of messages in the order of the log, for the digest of an absence. Sends have no rows: the messages are there. Nor has what
 * a retention policy removes, which is nobody's act.
 */
export const recentChangesProjection = projection<ChangeRow, Handled>(recentChangesCollection, {
  'message.edited.v1': {
    creates: true,
    keys,
    evolve: (_, { data: { at, by, messageId, place } }) => ({ at, kind: KIND.edited, by, messageId, count: 1, place }),
  },
  'messages.moved.v1': {
    creates: true,
    keys,
    evolve: (_, { data: { at, by, ids, firstId, from, to, edit } }) => ({
      at,
      kind: KIND.moved,
      by,
      messageId: firstId,
      count: idsIn(ids).length,
      ids: ids.slice(0, RANGES_MAX),
      place: from,
      to: { channelId: to.channelId, topic: to.topic },
      ...(edit === undefined ? {} : { isReworded: true as const }),
    }),
  },
  'message.deleted.v1': {
    creates: true,
    keys,
    evolve: (_, { data: { at, by, messageId, place } }) => ({ at, kind: KIND.deleted, by, messageId, count: 1, place }),
  },
  'messages.deleted.v1': {
    creates: true,
    keys,
    evolve: (_, { data: { at, by, ids, place } }) => {
      return { at, kind: KIND.deleted, by, messageId: ids[0]?.[0] ?? 0, count: idsIn(ids).length, place };
    },
  },
  'messages.expired.v1': {},
  'reaction.added.v1': { creates: true, keys, evolve: (_, { data }) => reactionRow(KIND.reacted, data) },
  'reaction.removed.v1': { creates: true, keys, evolve: (_, { data }) => reactionRow(KIND.unreacted, data) },
});

function reactionRow(kind: number, data: ReactionRemoved['data']): ChangeRow {
  const { at, userId, messageId, place, emojiName, emojiCode, reactionType } = data;
  return { at, kind, by: userId, messageId, count: 1, place, emoji: { emojiName, emojiCode, reactionType } };
}

import { idsIn } from '#kernel';
import {
  type MessageDeleted,
  type MessageEdited,
  type MessagesDeleted,
  type MessagesExpired,
  type MessagesMoved,
  wordsOf,
  wordsOfHtml,
} from '#messages';
import { type CollectionSchema, projection } from '#read-store';

/** A wording that an edit has replaced; the key is the position of the edit. */
export interface WordingDocument {
  readonly messageId: number;
  readonly content: string;
  /** HTML; absent when the content was plain. */
  readonly rendered?: string;
}

export const auditWordingsCollection = {
  name: 'audit_wordings',
  key: 'integer',
  fields: { messageId: 'integer' },
  indexes: [['messageId']],
  words: {
    field: 'words',
    version: 1,
    from: ['content', 'rendered'],
    of: (doc) => wordsIn(doc as unknown as WordingDocument),
  },
} as const satisfies CollectionSchema;

/** Former wordings, by their words. They stay when the message is deleted. */
export const auditWordingsProjection = projection<WordingDocument, MessageEdited | MessagesMoved>(
  auditWordingsCollection,
  {
    'message.edited.v1': {
      keys: ({ position }) => [position],
      creates: true,
      evolve: (_, { data }) => wording(data.messageId, data),
    },
    'messages.moved.v1': {
      keys: ({ position, data }) => (data.edit === undefined ? [] : [position]),
      creates: true,
      evolve: (_, { data }) => (data.edit === undefined ? undefined : wording(data.targetId, data.edit)),
    },
  },
);

function wording(
  messageId: number,
  { prevContent, prevRendered }: Pick<MessageEdited['data'], 'prevContent' | 'prevRendered'>,
): WordingDocument {
  return { messageId, content: prevContent, ...(prevRendered === undefined ? {} : { rendered: prevRendered }) };
}

/** Words of the visible content, in normalised form. */
export function wordsIn({
  content,
  rendered,
}: {
  readonly content: string;
  readonly rendered?: string | undefined;
}): Set<string> {
  return rendered === undefined ? wordsOf(content) : wordsOfHtml(rendered);
}

/** That a message is deleted; the key is its ID. */
export interface DeletionDocument {
  readonly position: number;
}

export const auditDeletionsCollection = {
  name: 'audit_deletions',
  key: 'integer',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

/** The deleted messages. The events of deletions have no content, so that a search reads it from the log. */
export const auditDeletionsProjection = projection<
  DeletionDocument,
  MessageDeleted | MessagesDeleted | MessagesExpired
>(auditDeletionsCollection, {
  'message.deleted.v1': { keys: ({ data }) => [data.messageId], evolve: (doc, { position }) => doc ?? { position } },
  'messages.deleted.v1': { keys: ({ data }) => idsIn(data.ids), evolve: (doc, { position }) => doc ?? { position } },
  'messages.expired.v1': { keys: ({ data }) => idsIn(data.ids), evolve: (doc, { position }) => doc ?? { position } },
});

import type { RecordedEvent } from '#event-store';
import type {
  ContentEdit,
  MessageDeleted,
  MessageEdited,
  MessagesDeleted,
  MessagesExpired,
  MessagesMoved,
} from '#messages';
import { type CollectionSchema, type KeyRange, projection } from '#read-store';

/** Content of a message before an edit. */
export interface MessageVersion {
  /** Position of the edit in the log. */
  readonly position: number;
  readonly content: string;
  /** HTML; absent when the content was plain. */
  readonly rendered?: string;
}

/** Content of a message before its newest edits; the key is the message ID. */
export interface MessageVersionsDocument {
  /** Newest first. */
  versions: MessageVersion[];
}

/** A history returns all versions in one answer, and each edit writes them again. The log keeps the others. */
export const VERSIONS_MAX = 100;
/** Content and HTML in UTF-8. The newest version is kept even when it is larger. */
export const VERSIONS_BYTES_MAX = 256_000;

export const messageVersionsCollection: CollectionSchema = {
  name: 'message_versions',
  key: 'integer',
  fields: {},
  indexes: [],
};

type Handled = MessageEdited | MessagesMoved | MessageDeleted | MessagesDeleted | MessagesExpired;

/** Earlier versions of messages, separate from the messages, so that reactions, moves and fetches do not carry them. */
export const messageVersionsProjection = projection<MessageVersionsDocument, Handled>(messageVersionsCollection, {
  'message.edited.v1': {
    keys: ({ data }) => [data.messageId],
    evolve: (doc, event) => withVersion(doc, event.data, event),
  },
  'messages.moved.v1': {
    keys: ({ data }) => (data.edit === undefined ? [] : [data.targetId]),
    evolve: (doc, event) => (event.data.edit === undefined ? doc : withVersion(doc, event.data.edit, event)),
  },
  'message.deleted.v1': { removes: ({ data }) => [{ from: data.messageId, below: data.messageId + 1 }] },
  'messages.deleted.v1': { removes: ({ data }) => rangesIn(data) },
  'messages.expired.v1': { removes: ({ data }) => rangesIn(data) },
});

function rangesIn({ ids }: MessagesDeleted['data'] | MessagesExpired['data']): KeyRange[] {
  return ids.map(([first, last]) => ({ from: first, below: last + 1 }));
}

function withVersion(
  doc: MessageVersionsDocument | undefined,
  edit: ContentEdit,
  event: RecordedEvent,
): MessageVersionsDocument {
  return { versions: kept([versionBefore(edit, event), ...(doc?.versions ?? [])]) };
}

function versionBefore({ prevContent, prevRendered }: ContentEdit, { position }: RecordedEvent): MessageVersion {
  const version = { position, content: prevContent };
  return prevRendered === undefined ? version : { ...version, rendered: prevRendered };
}

function kept(newestFirst: readonly MessageVersion[]): MessageVersion[] {
  let bytes = 0;
  const beyond = newestFirst.findIndex(({ content, rendered = '' }, index) => {
    bytes += Buffer.byteLength(content) + Buffer.byteLength(rendered);
    return index > 0 && bytes > VERSIONS_BYTES_MAX;
  });
  return newestFirst.slice(0, beyond === -1 ? VERSIONS_MAX : Math.min(beyond, VERSIONS_MAX));
}

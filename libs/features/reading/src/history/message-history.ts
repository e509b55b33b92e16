import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { badRequest, nextSlice, type JsonObject } from '#kernel';
import {
  accessMessage,
  htmlOf,
  invalidMessage,
  located,
  type MessageDocument,
  MessagesReader,
  type SentData,
  SentMessages,
  wireTopic,
} from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { integer, named, nullable, object, partial, text } from '#wire';
import { knownHistory, type KnownHistory } from '../versions/known-edits.js';
import { MOVE_FIELDS, wireMove, wireTopicChange } from '../wire/wire-message.js';
import { MessageVersionsReader } from '../versions/message-versions.reader.js';
import { htmlDiff } from './text-diff.js';

/** A version of a message, with what changed in it. */
export const HistoryEntrySchema = named(
  'MessageHistoryEntry',
  object({
    content: text,
    rendered_content: text,
    timestamp: integer,
    user_id: nullable(integer),
    ...MOVE_FIELDS,
    topic: text,
    ...partial({ prev_content: text, prev_rendered_content: text, content_html_diff: text }),
  }),
);

/** All versions of a message, oldest first (endpoints.md §3, GET /messages/{id}/history). */
export class MessageHistoryQuery extends Query<readonly JsonObject[]> {
  constructor(
    readonly viewer: User,
    readonly messageId: number,
    readonly allowEmptyTopicName: boolean,
  ) {
    super();
  }
}

export const messageHistory = query(
  MessageHistoryQuery,
  { directory: Directory, messages: MessagesReader, versions: MessageVersionsReader, sent: SentMessages },
  async ({ viewer, messageId, allowEmptyTopicName }, { directory, messages, versions, sent }) => {
    const doc = await messages.get(messageId);
    if (doc === undefined) throw invalidMessage();
    accessMessage(directory, viewer, located(messageId, doc));
    const policy = directory.settings.message_edit_history_visibility_policy;
    if (policy === 'none') throw badRequest('Message edit history is disabled in this organization');
    const earlier = doc.edits === undefined ? [] : await versions.of(messageId);
    const known = knownHistory(directory, viewer, messageId, doc, earlier);
    const original = known.beginsLate ? await sent.get(messageId) : undefined;
    return historyOf(doc, allowEmptyTopicName, known, policy === 'all' ? original : withoutContent(original, doc));
  },
);

interface Content {
  readonly content: string;
  readonly rendered?: string | undefined;
}

/** A message as it was sent, for histories that begin later. */
type Original = Content & Pick<SentData, 'topic' | 'at' | 'senderId'>;

function withoutContent(original: Original | undefined, now: Content): Original | undefined {
  if (original === undefined) return undefined;
  return { ...original, content: now.content, rendered: now.rendered };
}

/** Comparing two versions of this many characters takes some milliseconds. */
const SLICE_LENGTH = 40_000;

/**
 * Unwinds the edits: each entry shows the message after that edit; the first one shows the original, or the start of
 * the viewer's knowledge. When content is hidden, all entries have the current one.
 * @param original the message as sent, when the edits after it are not kept; their combined effect is one entry
 */
export async function historyOf(
  doc: MessageDocument,
  allowEmptyTopicName: boolean,
  known: KnownHistory,
  original?: Original,
): Promise<JsonObject[]> {
  const newestFirst: JsonObject[] = [];
  let topic = doc.topic ?? '';
  let state: Content = doc;
  let length = 0;
  const stateThen = (): JsonObject => ({
    topic: doc.topic === undefined ? '' : wireTopic(topic, allowEmptyTopicName),
    content: state.content,
    rendered_content: htmlOf(state),
  });
  const changeFrom = (before: Content): JsonObject => ({
    prev_content: before.content,
    prev_rendered_content: htmlOf(before),
    content_html_diff: htmlDiff(before.content, state.content),
  });
  for (const edit of known.edits) {
    const entry = { ...stateThen(), ...wireMove(edit, allowEmptyTopicName), timestamp: edit.at, user_id: edit.by };
    if (edit.prevContent === undefined) {
      newestFirst.push(entry);
    } else {
      const before = { content: edit.prevContent, rendered: edit.prevRendered };
      newestFirst.push({ ...entry, ...changeFrom(before) });
      length += before.content.length + state.content.length;
      state = before;
    }
    if (edit.prevTopic !== undefined) topic = edit.prevTopic;
    if (length > SLICE_LENGTH) {
      await nextSlice();
      length = 0;
    }
  }
  const first = { ...stateThen(), timestamp: known.at, user_id: known.by };
  if (original === undefined) return [...newestFirst, first].reverse();
  const { topic: prevTopic = '' } = original;
  const change = {
    ...(prevTopic === topic ? {} : wireTopicChange(prevTopic, topic, allowEmptyTopicName)),
    ...(original.content === state.content ? {} : changeFrom(original)),
  };
  if (Object.keys(change).length > 0) newestFirst.push({ ...first, ...change });
  [state, topic] = [original, prevTopic];
  newestFirst.push({ ...stateThen(), timestamp: original.at, user_id: original.senderId });
  return newestFirst.reverse();
}

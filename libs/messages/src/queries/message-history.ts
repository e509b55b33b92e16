import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { badRequest, type JsonObject } from '#kernel';
import { Directory, type User } from '#organization';
import { knownHistory, type KnownHistory } from '../known-edits.js';
import { accessMessage, invalidMessage, located } from '../message.access.js';
import type { MessageDocument } from '../projections/message.document.js';
import { htmlOf, wireMove } from '../wire-message.js';
import { wireTopic } from '../wire-topic.js';
import { MessagesReader } from './messages.reader.js';
import { htmlDiff } from './text-diff.js';

/** What a message was at each time of its life, oldest first (endpoints.md §3, GET /messages/{id}/history). */
export class MessageHistoryQuery extends Query<readonly JsonObject[]> {
  constructor(
    readonly viewer: User,
    readonly messageId: number,
    readonly allowEmptyTopicName: boolean,
  ) {
    super();
  }
}

@QueryHandler(MessageHistoryQuery)
export class MessageHistoryHandler implements IQueryHandler<MessageHistoryQuery> {
  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
  ) {}

  async execute({ viewer, messageId, allowEmptyTopicName }: MessageHistoryQuery): Promise<readonly JsonObject[]> {
    const doc = await this.messages.get(messageId);
    if (doc === undefined) throw invalidMessage();
    accessMessage(this.directory, viewer, located(messageId, doc));
    if (this.directory.settings.message_edit_history_visibility_policy === 'none')
      throw badRequest('Message edit history is disabled in this organization');
    return historyOf(doc, allowEmptyTopicName, knownHistory(this.directory, viewer, doc));
  }
}

interface Content {
  readonly content: string;
  readonly rendered?: string;
}

/**
 * Unwinds the edits: each entry shows the message as that edit left it, the first one as it was sent, or as it came out of
 * where the viewer may not read. Where content is not shown, it is as it is now throughout.
 */
export function historyOf(doc: MessageDocument, allowEmptyTopicName: boolean, known: KnownHistory): JsonObject[] {
  const newestFirst: JsonObject[] = [];
  let topic = doc.topic ?? '';
  let state: Content = doc;
  const stateThen = (): JsonObject => ({
    topic: doc.topic === undefined ? '' : wireTopic(topic, allowEmptyTopicName),
    content: state.content,
    rendered_content: htmlOf(state),
  });
  for (const edit of known.edits) {
    const entry = { ...stateThen(), ...wireMove(edit, allowEmptyTopicName), timestamp: edit.at, user_id: edit.by };
    if (edit.prevContent === undefined) {
      newestFirst.push(entry);
    } else {
      const before: Content = {
        content: edit.prevContent,
        ...(edit.prevRendered === undefined ? {} : { rendered: edit.prevRendered }),
      };
      newestFirst.push({
        ...entry,
        prev_content: before.content,
        prev_rendered_content: htmlOf(before),
        content_html_diff: htmlDiff(before.content, state.content),
      });
      state = before;
    }
    if (edit.prevTopic !== undefined) topic = edit.prevTopic;
  }
  newestFirst.push({ ...stateThen(), timestamp: known.at, user_id: known.by });
  return newestFirst.reverse();
}

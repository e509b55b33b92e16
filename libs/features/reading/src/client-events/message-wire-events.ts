import type { QueueSettings } from '#feed';
import { isMeMessage } from '#markdown';
import {
  allowsEmptyTopic,
  type ContentEdit,
  htmlOf,
  type MessageEdited,
  type MessagesMoved,
  type Place,
  type ReactionAdded,
  type SubmessageAdded,
  wireTopic,
  wireTopicLinks,
} from '#messages';
import { apiEmail, type User } from '#users/model';
import { type Directory, seenUser } from '#people';
import type { ExtraEmojiType } from '#pictures/model';
import type { WireMessageEvent } from './message-events.schema.js';

type Settings = Pick<QueueSettings, 'capabilities' | 'clientName'>;

/** `update_message` for content only: with any field of a move, clients would expect a move (clients.md §1.4). */
export function editEvent(
  directory: Directory,
  edit: MessageEdited['data'],
  flags: readonly string[],
): WireMessageEvent {
  const { messageId, by, at, place } = edit;
  return {
    type: 'update_message',
    user_id: by,
    rendering_only: false,
    message_id: messageId,
    message_ids: [messageId],
    flags,
    edit_timestamp: at,
    ...('to' in place ? undefined : channelFields(directory, place.channelId)),
    ...contentFields(edit),
  };
}

/**
 * `update_message` for a move. It has `subject` exactly when the topic changed, and `new_stream_id` exactly when the
 * channel did (clients.md §1.4). It includes the content change of the same request, unless the recipient may not see
 * the target.
 * @param ids the moved messages that the recipient may see, ascending, at least one
 */
export function moveEvent(
  directory: Directory,
  move: MessagesMoved['data'],
  ids: readonly number[],
  flags: readonly string[],
  settings: Settings,
): WireMessageEvent {
  const { targetId, by, at, from, to, propagateMode, edit } = move;
  const topicOf = (topic: string) => wireTopic(topic, allowsEmptyTopic(settings));
  return {
    type: 'update_message',
    user_id: by,
    rendering_only: false,
    message_id: toldMessage(move, ids),
    message_ids: ids,
    flags,
    edit_timestamp: at,
    ...channelFields(directory, from.channelId),
    orig_subject: topicOf(from.topic),
    ...(from.topic === to.topic
      ? undefined
      : { subject: topicOf(to.topic), topic_links: wireTopicLinks(directory, to.topic) }),
    new_stream_id: from.channelId === to.channelId ? undefined : to.channelId,
    propagate_mode: propagateMode,
    ...(edit === undefined || !ids.includes(targetId) ? undefined : contentFields(edit)),
  };
}

/**
 * The message that a move names, and whose flags it tells: the target, or the first one if the recipient may not see that.
 * @param ids the moved messages that the recipient may see, ascending
 */
export function toldMessage({ targetId }: Pick<MessagesMoved['data'], 'targetId'>, ids: readonly number[]): number {
  return ids.includes(targetId) ? targetId : (ids[0] ?? targetId);
}

/** `delete_message`: one event, or one per message for clients without `bulk_message_deletion`. */
export function deletionEvents(ids: readonly number[], place: Place, settings: Settings): readonly WireMessageEvent[] {
  if (ids.length === 0) return [];
  const where =
    'to' in place
      ? { message_type: 'private' as const }
      : {
          message_type: 'stream' as const,
          stream_id: place.channelId,
          topic: wireTopic(place.topic, allowsEmptyTopic(settings)),
        };
  if (settings.capabilities.includes('bulk_message_deletion')) {
    return [{ type: 'delete_message', message_ids: ids, ...where }];
  }
  return ids.map((messageId) => ({ type: 'delete_message', message_id: messageId, ...where }));
}

export function reactionEvent(
  directory: Directory,
  op: 'add' | 'remove',
  { messageId, userId, emojiName, emojiCode, reactionType }: ReactionAdded['data'],
  viewer: User,
  extraEmojiType: ExtraEmojiType,
): WireMessageEvent {
  const user = seenUser(directory, viewer, userId);
  return {
    type: 'reaction',
    op,
    message_id: messageId,
    emoji_name: emojiName,
    emoji_code: emojiCode,
    reaction_type: extraEmojiType.wire(reactionType),
    user_id: userId,
    user: { user_id: userId, email: user === undefined ? '' : apiEmail(user), full_name: user?.fullName ?? '' },
  };
}

export function submessageEvent({
  messageId,
  submessageId,
  senderId,
  content,
}: SubmessageAdded['data']): WireMessageEvent {
  return {
    type: 'submessage',
    msg_type: 'widget',
    message_id: messageId,
    submessage_id: submessageId,
    sender_id: senderId,
    content,
  };
}

function channelFields(directory: Directory, channelId: number): { stream_id: number; stream_name: string } {
  return { stream_id: channelId, stream_name: directory.channel(channelId)?.name ?? '' };
}

function contentFields({ content, rendered, prevContent, prevRendered }: ContentEdit) {
  return {
    orig_content: prevContent,
    orig_rendered_content: htmlOf(contentOf(prevContent, prevRendered)),
    content,
    rendered_content: htmlOf(contentOf(content, rendered)),
    is_me_message: isMeMessage(content),
  };
}

function contentOf(content: string, rendered: string | undefined): { content: string; rendered?: string } {
  return rendered === undefined ? { content } : { content, rendered };
}

import type { JsonObject } from '#kernel';
import { isMeMessage, plainHtml } from '#markdown';
import {
  type EditEntry,
  htmlOf,
  type MessageDocument,
  parseConversation,
  type ReactionEntry,
  submessageIdOf,
  widgetOfMessage,
  wireTopic,
  wireTopicLinks,
} from '#messages';
import { avatarUrl, type Directory, seenUser, type User, apiEmail } from '#organization';
import type { ExtraEmojiType } from '#pictures/model';
import { knownEdits, type KnownEdit } from '../versions/known-edits.js';
import type { MessageVersion } from '../versions/message-versions.projection.js';
import { recipientIdOf } from './recipient-id.js';

/** A client's preferences for messages. */
export interface WireOptions {
  /** HTML, or the Markdown source. */
  readonly applyMarkdown: boolean;
  /** The client computes avatar addresses itself and gets null for them. */
  readonly clientGravatar: boolean;
  /** The client supports the empty topic. */
  readonly allowEmptyTopicName: boolean;
  readonly extraEmojiType: ExtraEmojiType;
}

/**
 * A message in wire format (objects.md, "Message"). Access has been checked before.
 * @param flags the viewer's; without them there is no `flags`, as in a `message` event's `message`
 * @param versions earlier ones of the message, for its edit history
 */
export function wireMessage(
  directory: Directory,
  viewer: User,
  messageId: number,
  doc: MessageDocument,
  flags: readonly string[] | undefined,
  options: WireOptions,
  versions: readonly MessageVersion[] = [],
): JsonObject {
  const sender = seenUser(directory, viewer, doc.senderId);
  const edits = knownEdits(directory, viewer, messageId, doc, versions);
  return {
    id: messageId,
    ...wirePlace(directory, doc, options),
    content: options.applyMarkdown ? htmlOf(doc) : doc.content,
    content_type: options.applyMarkdown ? 'text/html' : 'text/x-markdown',
    sender_id: doc.senderId,
    sender_email: sender === undefined ? '' : apiEmail(sender),
    sender_full_name: sender?.fullName ?? '',
    sender_realm_str: '',
    avatar_url: sender === undefined ? null : avatarUrl(sender, options.clientGravatar),
    client: doc.client,
    timestamp: doc.at,
    is_me_message: isMeMessage(doc.content),
    flags,
    reactions: (doc.reactions ?? []).map((reaction) => wireReaction(reaction, options.extraEmojiType)),
    submessages: wireSubmessages(messageId, doc),
    topic_links: wireTopicLinks(directory, doc.topic ?? ''),
    edit_history: edits.length === 0 ? undefined : edits.map((edit) => wireEdit(edit, options.allowEmptyTopicName)),
    last_edit_timestamp: doc.lastEditAt,
    last_moved_timestamp: doc.lastMovedAt,
  };
}

function wirePlace(directory: Directory, doc: MessageDocument, options: WireOptions): JsonObject {
  const place = parseConversation(doc.conversation);
  if ('channelId' in place) {
    return {
      type: 'stream',
      stream_id: place.channelId,
      display_recipient: directory.channel(place.channelId)?.name ?? '',
      recipient_id: recipientIdOf(directory, place),
      subject: wireTopic(doc.topic ?? '', options.allowEmptyTopicName),
    };
  }
  return {
    type: 'private',
    display_recipient: wireParticipants(directory, place.participants),
    recipient_id: recipientIdOf(directory, place),
    subject: '',
  };
}

function wireParticipants(directory: Directory, participants: readonly number[]): JsonObject[] {
  return participants
    .map((userId) => directory.user(userId))
    .filter((user) => user !== undefined)
    .sort((a, b) => (apiEmail(a) < apiEmail(b) ? -1 : 1))
    .map((user) => ({ id: user.userId, email: apiEmail(user), full_name: user.fullName, is_mirror_dummy: false }));
}

/** A widget begins with a submessage that names its kind (rules.md §9). */
function wireSubmessages(messageId: number, doc: MessageDocument): JsonObject[] {
  const { senderId, submessages = [] } = doc;
  // An edited content is never a widget: widgets cannot be edited.
  const widget = doc.lastEditAt === undefined ? widgetOfMessage(doc) : undefined;
  if (widget === undefined) return [];
  const first = { id: submessageIdOf(messageId, 0), senderId, content: widget.content };
  return [first, ...submessages].map((submessage) => ({
    msg_type: 'widget',
    content: submessage.content,
    message_id: messageId,
    sender_id: submessage.senderId,
    id: submessage.id,
  }));
}

function wireReaction(reaction: ReactionEntry, extraEmojiType: ExtraEmojiType): JsonObject {
  return {
    emoji_name: reaction.emojiName,
    emoji_code: reaction.emojiCode,
    reaction_type: extraEmojiType.wire(reaction.reactionType),
    user_id: reaction.userId,
  };
}

function wireEdit(edit: KnownEdit, allowEmptyTopicName: boolean): JsonObject {
  return {
    user_id: edit.by,
    timestamp: edit.at,
    ...(edit.prevContent === undefined
      ? {}
      : {
          prev_content: edit.prevContent,
          prev_rendered_content: edit.prevRendered ?? plainHtml(edit.prevContent),
        }),
    ...wireMove(edit, allowEmptyTopicName),
  };
}

/** Fields of an edit history entry about a move. */
export function wireMove(edit: EditEntry, allowEmptyTopicName: boolean): JsonObject {
  return {
    ...(edit.prevChannelId === undefined ? {} : { prev_stream: edit.prevChannelId, stream: edit.channelId }),
    ...(edit.prevTopic === undefined || edit.topic === undefined
      ? {}
      : wireTopicChange(edit.prevTopic, edit.topic, allowEmptyTopicName)),
  };
}

export function wireTopicChange(prevTopic: string, topic: string, allowEmptyTopicName: boolean): JsonObject {
  return { prev_topic: wireTopic(prevTopic, allowEmptyTopicName), topic: wireTopic(topic, allowEmptyTopicName) };
}

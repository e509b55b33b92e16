import type { TProperties } from 'typebox';
import { isMeMessage, plainHtml } from '#markdown';
import {
  type EditEntry,
  htmlOf,
  type MessageDocument,
  parseConversation,
  type ReactionEntry,
  submessageIdOf,
  TopicLinksSchema,
  widgetOfMessage,
  wireTopic,
  wireTopicLinks,
} from '#messages';
import { avatarUrl, type User, apiEmail } from '#users/model';
import { type Directory, seenUser } from '#people';
import type { ExtraEmojiType } from '#pictures/model';
import { EmojiTypeSchema } from '#pictures/model';
import {
  described,
  exact,
  integer,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  text,
  truth,
  type Wire,
  words,
} from '#wire';
import { knownEdits, type KnownEdit } from '../versions/known-edits.js';
import type { MessageVersion } from '../versions/message-versions.projection.js';
import { recipientIdOf } from './recipient-id.js';

const ReactionSchema = named(
  'Reaction',
  object({ emoji_name: text, emoji_code: text, reaction_type: EmojiTypeSchema, user_id: integer }),
);

const SubmessageSchema = named(
  'Submessage',
  object({ msg_type: text, content: text, message_id: integer, sender_id: integer, id: integer }),
);

/** Fields about a move in an entry of an edit history. */
export const MOVE_FIELDS = partial({ prev_stream: integer, stream: integer, prev_topic: text, topic: text });

const EditSchema = named(
  'MessageEdit',
  object({
    user_id: nullable(integer),
    timestamp: integer,
    prev_content: optional(text),
    prev_rendered_content: optional(text),
    ...MOVE_FIELDS,
  }),
);

const PersonSchema = named('Recipient', object({ id: integer, email: text, full_name: text, is_mirror_dummy: truth }));

const MESSAGE_FIELDS = {
  id: integer,
  content: described(text, 'HTML, or Markdown with apply_markdown=false.'),
  content_type: words('text/html', 'text/x-markdown'),
  recipient_id: described(integer, 'ID of the channel or the direct conversation, below 2^31.'),
  subject: described(text, 'The topic; empty in direct messages.'),
  sender_id: integer,
  sender_email: text,
  sender_full_name: text,
  sender_realm_str: text,
  avatar_url: described(nullable(text), 'Null where the client computes it.'),
  client: text,
  timestamp: described(integer, 'When it was sent; seconds since the epoch.'),
  is_me_message: truth,
  reactions: list(ReactionSchema),
  submessages: list(SubmessageSchema),
  topic_links: TopicLinksSchema,
  edit_history: optional(list(EditSchema)),
  last_edit_timestamp: optional(integer),
  last_moved_timestamp: optional(integer),
};

/** A message in a channel or in a direct conversation, which `type` tells apart. */
export function messageSchema<Properties extends TProperties>(name: string, more: Properties) {
  const inChannel = object({
    ...MESSAGE_FIELDS,
    type: exact('stream'),
    stream_id: integer,
    display_recipient: text,
    ...more,
  });
  const direct = object({ ...MESSAGE_FIELDS, type: exact('private'), display_recipient: list(PersonSchema), ...more });
  return named(name, oneOf(named(`Channel${name}`, inChannel), named(`Direct${name}`, direct)));
}

export const FlagSchema = named(
  'MessageFlag',
  words<string>(
    'read',
    'starred',
    'collapsed',
    'mentioned',
    'stream_wildcard_mentioned',
    'topic_wildcard_mentioned',
    'has_alert_word',
    'historical',
    'wildcard_mentioned',
  ),
);

/** A message as one user has it. */
export const MessageSchema = messageSchema('Message', {
  flags: list(FlagSchema),
  match_content: described(optional(text), 'In searches: HTML with marked words.'),
  match_subject: described(optional(text), 'In searches: the topic as HTML with marked words.'),
});

/** The message of a `message` event, in which the flags are beside it. */
export const SentMessageSchema = messageSchema('SentMessage', {});

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

export type WireMessage = Wire<typeof MessageSchema>;
export type SentWireMessage = Wire<typeof SentMessageSchema>;

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
  flags: readonly string[],
  options: WireOptions,
  versions?: readonly MessageVersion[],
): WireMessage;
export function wireMessage(
  directory: Directory,
  viewer: User,
  messageId: number,
  doc: MessageDocument,
  flags: readonly string[] | undefined,
  options: WireOptions,
  versions?: readonly MessageVersion[],
): SentWireMessage;
export function wireMessage(
  directory: Directory,
  viewer: User,
  messageId: number,
  doc: MessageDocument,
  flags: readonly string[] | undefined,
  options: WireOptions,
  versions: readonly MessageVersion[] = [],
): SentWireMessage & { readonly flags?: readonly string[] | undefined } {
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

function wirePlace(directory: Directory, doc: MessageDocument, options: WireOptions) {
  const place = parseConversation(doc.conversation);
  if ('channelId' in place) {
    return {
      type: 'stream' as const,
      stream_id: place.channelId,
      display_recipient: directory.channel(place.channelId)?.name ?? '',
      recipient_id: recipientIdOf(directory, place),
      subject: wireTopic(doc.topic ?? '', options.allowEmptyTopicName),
    };
  }
  return {
    type: 'private' as const,
    display_recipient: wireParticipants(directory, place.participants),
    recipient_id: recipientIdOf(directory, place),
    subject: '',
  };
}

function wireParticipants(directory: Directory, participants: readonly number[]): Wire<typeof PersonSchema>[] {
  return participants
    .map((userId) => directory.user(userId))
    .filter((user) => user !== undefined)
    .sort((a, b) => (apiEmail(a) < apiEmail(b) ? -1 : 1))
    .map((user) => ({ id: user.userId, email: apiEmail(user), full_name: user.fullName, is_mirror_dummy: false }));
}

/** A widget begins with a submessage that names its kind (rules.md §9). */
function wireSubmessages(messageId: number, doc: MessageDocument): Wire<typeof SubmessageSchema>[] {
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

function wireReaction(reaction: ReactionEntry, extraEmojiType: ExtraEmojiType): Wire<typeof ReactionSchema> {
  return {
    emoji_name: reaction.emojiName,
    emoji_code: reaction.emojiCode,
    reaction_type: extraEmojiType.wire(reaction.reactionType),
    user_id: reaction.userId,
  };
}

function wireEdit(edit: KnownEdit, allowEmptyTopicName: boolean): Wire<typeof EditSchema> {
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
export function wireMove(
  edit: EditEntry,
  allowEmptyTopicName: boolean,
): Partial<Wire<ReturnType<typeof object<typeof MOVE_FIELDS>>>> {
  return {
    ...(edit.prevChannelId === undefined ? {} : { prev_stream: edit.prevChannelId, stream: edit.channelId }),
    ...(edit.prevTopic === undefined || edit.topic === undefined
      ? {}
      : wireTopicChange(edit.prevTopic, edit.topic, allowEmptyTopicName)),
  };
}

interface TopicChange {
  readonly prev_topic: string;
  readonly topic: string;
}

export function wireTopicChange(prevTopic: string, topic: string, allowEmptyTopicName: boolean): TopicChange {
  return { prev_topic: wireTopic(prevTopic, allowEmptyTopicName), topic: wireTopic(topic, allowEmptyTopicName) };
}

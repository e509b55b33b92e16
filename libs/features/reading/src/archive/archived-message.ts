import { htmlOf, type MessageDocument, parseConversation } from '#messages';
import type { KnownEdit } from '../versions/known-edits.js';

/** A message in an archive (docs/export.md, "Messages"). Times are in seconds since the epoch. */
export interface ArchivedMessage {
  readonly id: number;
  readonly sender_id: number;
  /** A channel message has these two … */
  readonly channel_id?: number;
  readonly topic?: string;
  /** … a direct message this: all participants, ascending. */
  readonly user_ids?: readonly number[];
  /** Markdown. */
  readonly content: string;
  readonly html: string;
  readonly sent_at: number;
  readonly client: string;
  readonly reactions: readonly ArchivedReaction[];
  /** JSON of the widget that a service of a bot asked for; any other follows from the content. */
  readonly widget?: string;
  readonly submessages: readonly { readonly id: number; readonly sender_id: number; readonly content: string }[];
  /** Edits and moves, the oldest first. */
  readonly edits: readonly ArchivedEdit[];
}

export interface ArchivedReaction {
  readonly user_id: number;
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
}

/** What changed, as it was before. */
export interface ArchivedEdit {
  readonly user_id: number;
  readonly at: number;
  readonly prev_content?: string;
  readonly prev_html?: string;
  readonly prev_topic?: string;
  readonly prev_channel_id?: number;
}

/** @param edits those that the archive shows, the newest first */
export function archivedMessage(id: number, doc: MessageDocument, edits: readonly KnownEdit[]): ArchivedMessage {
  const place = parseConversation(doc.conversation);
  return {
    id,
    sender_id: doc.senderId,
    ...('channelId' in place
      ? { channel_id: place.channelId, topic: doc.topic ?? '' }
      : { user_ids: place.participants }),
    content: doc.content,
    html: htmlOf(doc),
    sent_at: doc.at,
    client: doc.client,
    reactions: (doc.reactions ?? []).map(({ userId, emojiName, emojiCode, reactionType }) => {
      return { user_id: userId, emoji_name: emojiName, emoji_code: emojiCode, reaction_type: reactionType };
    }),
    widget: doc.widget?.content,
    submessages: (doc.submessages ?? []).map(({ id: submessageId, senderId, content }) => {
      return { id: submessageId, sender_id: senderId, content };
    }),
    edits: edits.map(archivedEdit).reverse(),
  };
}

function archivedEdit({ by, at, prevContent, prevRendered, prevTopic, prevChannelId }: KnownEdit): ArchivedEdit {
  return {
    user_id: by,
    at,
    ...(prevContent === undefined
      ? undefined
      : { prev_content: prevContent, prev_html: htmlOf({ content: prevContent, rendered: prevRendered }) }),
    prev_topic: prevTopic,
    prev_channel_id: prevChannelId,
  };
}

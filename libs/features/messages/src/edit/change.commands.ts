import type { MessageContent } from '../model/message-content.js';
import type { AskedChange, MoveContext } from '../move/move.commands.js';
import type { WildcardAnswers } from '../send/send.commands.js';

/** PATCH /messages/{id}: an edit, a move or both. */
export interface ChangeMessage extends UnrenderedChange {
  readonly content?: MessageContent;
  /** Reach of the wildcard mentions of the new content; for a channel message with content. */
  readonly wildcards?: WildcardAnswers;
}

/** A change whose new content, if there is one, is not rendered yet. */
export interface UnrenderedChange extends AskedChange {
  /** SHA-256 of the content that the client edited, hexadecimal. */
  readonly prevContentSha256?: string;
  /** As requested, normalized. */
  readonly topic?: string;
  /** As requested. */
  readonly channelId?: number;
  /** Set when a channel message is to be moved to another topic or channel. */
  readonly move?: MoveContext;
}

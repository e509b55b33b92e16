import type { ToMessage } from '../model/message.commands.js';
import type { ResolvedEmoji } from '../model/reaction-emoji.js';

/** POST /messages/{id}/reactions. */
export interface AddReaction extends ToMessage {
  readonly asked: ResolvedEmoji;
  /** The message is not in the actor's own history yet. */
  readonly isForeign?: boolean;
}

/** DELETE /messages/{id}/reactions. */
export interface RemoveReaction extends ToMessage {
  readonly asked: ResolvedEmoji;
}

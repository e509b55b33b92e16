import { mayReadChannel, type Directory, type User } from '#organization';
import type { EditEntry, MessageDocument } from './projections/message.document.js';

/** How a message came to be what it is, as far as somebody may know. */
export interface KnownHistory {
  /** Newest first. */
  readonly edits: readonly EditEntry[];
  /** When the part that they may know begins: with the sending, or where it came out of what they may not read. */
  readonly at: number;
  /** Whose doing that was: a user ID. */
  readonly by: number;
}

/**
 * A message's history begins for the viewer where it came out of a channel that they may not read: what it said and what
 * its topic was called in there stays in there. The organization may show only moves, or nothing at all (register.md §3,
 * `message_edit_history_visibility_policy`).
 */
export function knownHistory(
  directory: Directory,
  viewer: User,
  { edits = [], at, senderId }: Pick<MessageDocument, 'edits' | 'at' | 'senderId'>,
): KnownHistory {
  const index = edits.findIndex(({ prevChannelId }) => {
    if (prevChannelId === undefined) return false;
    const channel = directory.channel(prevChannelId);
    return channel === undefined || !mayReadChannel(directory, viewer, channel);
  });
  const cameOut = edits[index];
  const known = index === -1 ? edits : edits.slice(0, index);
  return { edits: shownOf(directory, known), at: cameOut?.at ?? at, by: cameOut?.by ?? senderId };
}

/** The edits and moves that the viewer may know of, newest first. */
export function knownEdits(
  directory: Directory,
  viewer: User,
  doc: Pick<MessageDocument, 'edits' | 'at' | 'senderId'>,
): readonly EditEntry[] {
  return doc.edits === undefined ? NONE : knownHistory(directory, viewer, doc).edits;
}

function shownOf(directory: Directory, edits: readonly EditEntry[]): readonly EditEntry[] {
  switch (directory.settings.message_edit_history_visibility_policy) {
    case 'all':
      return edits;
    case 'moves':
      return edits
        .filter(({ topic, channelId }) => topic !== undefined || channelId !== undefined)
        .map(({ prevContent: _, prevRendered: __, ...move }) => move);
    case 'none':
      return NONE;
  }
}

const NONE: readonly EditEntry[] = [];

import { mayReadChannel, type Directory, type User } from '#organization';
import type { EditEntry, MessageDocument } from './projections/message.document.js';

/**
 * The edits and moves that the viewer may know of, newest first. A message's history begins for them where it came out of a
 * channel that they may not read: what it said and what its topic was called in there stays in there.
 */
export function knownEdits(
  directory: Directory,
  viewer: User,
  { edits = [] }: Pick<MessageDocument, 'edits'>,
): readonly EditEntry[] {
  const cameOut = edits.findIndex(({ prevChannelId }) => {
    if (prevChannelId === undefined) return false;
    const channel = directory.channel(prevChannelId);
    return channel === undefined || !mayReadChannel(directory, viewer, channel);
  });
  return cameOut === -1 ? edits : edits.slice(0, cameOut);
}

import { badRequest } from '#kernel';
import { acceptContent, normalizeTopic } from '#messages';
import { accessChannelContent } from '#channels/model';
import { type Directory, mayKnowUser } from '#people';
import type { User } from '#users/model';
import type { DraftContent } from './drafts.commands.js';

/** A draft as a client writes it (objects.md, "Draft"). */
export interface WrittenDraft {
  readonly type: '' | 'stream' | 'private';
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** Seconds since the epoch; now when absent. */
  readonly timestamp?: number;
}

/**
 * The draft as it is stored: content and topic are normalized like those of messages.
 * @throws Refusal BAD_REQUEST for a channel that the user may not read, unknown users, content that no message may have, NUL in a topic
 */
export function acceptDraft(
  directory: Directory,
  author: User,
  written: WrittenDraft,
  nowSeconds: number,
): DraftContent {
  const { timestamp = nowSeconds } = written;
  if (timestamp < 0) throw badRequest('Timestamp must not be negative.');
  return {
    addressee: addresseeOf(directory, author, written),
    content: acceptContent(written.content),
    timestamp: Math.floor(timestamp),
  };
}

function addresseeOf(directory: Directory, author: User, { type, to, topic }: WrittenDraft): DraftContent['addressee'] {
  if (type === 'stream') {
    const [channelId, ...more] = to;
    if (channelId === undefined || more.length > 0)
      throw badRequest('Must specify exactly 1 channel ID for channel messages');
    accessChannelContent(directory, author, channelId);
    return { kind: 'channel', channelId, topic: normalizeTopic(topic) };
  }
  // Ignored, and held to its rule nevertheless, whatever the draft is for.
  if (topic.includes('\0')) throw badRequest('Topic must not contain null bytes');
  if (type === '' || to.length === 0) return { kind: 'nobody' };
  const unknown = to.find((userId) => {
    const user = directory.user(userId);
    return user === undefined || !mayKnowUser(directory, author, user);
  });
  if (unknown !== undefined) throw badRequest(`Invalid user ID ${unknown}`);
  const others = [...new Set(to)].filter((userId) => userId !== author.userId).sort((a, b) => a - b);
  return { kind: 'direct', userIds: others.length === 0 ? [author.userId] : others };
}

import { nextSlice } from '#kernel';
import { hasSharedHistory } from '#channels/model';
import type { Directory } from '#people';
import type { User } from '#users/model';
import { located, mayReadMessage } from '../model/message.access.js';
import type { ChannelPlace } from '../model/messages.events.js';
import { topicKeyOf } from '../model/place.js';
import type { MessagesReader } from './messages.reader.js';
import { inTopic } from './place-filters.js';

/** Newest messages examined to find out whether the user sees any. */
const EXAMINED_MAX = 1_000;
const READ_PER_SLICE = 64;

/**
 * Whether the user sees messages in the topic. What they cannot see does not count, so that nothing tells of it; with
 * protected history, the newest of the topic decide.
 */
export async function seesAnythingIn(
  directory: Directory,
  reader: MessagesReader,
  user: User,
  { channelId, topic }: ChannelPlace,
): Promise<boolean> {
  const channel = directory.channel(channelId);
  if (channel === undefined) return false;
  if (hasSharedHistory(channel)) return (await reader.newestInTopic(channelId, topicKeyOf(topic))) !== undefined;
  let examined = 0;
  for await (const { id, doc } of reader.walk(inTopic(channelId, topicKeyOf(topic)), 'descending')) {
    if (mayReadMessage(directory, user, located(id, doc))) return true;
    if (++examined === EXAMINED_MAX) return false;
    if (examined % READ_PER_SLICE === 0) await nextSlice();
  }
  return false;
}

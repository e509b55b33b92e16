import type { ContentEdit, MessageSent, Place } from '#messages';
import type { Directory } from '#people';

/** A user as answers name them, by what they are called now. */
export function wireUser(directory: Directory, userId: number): { user_id: number; name?: string } {
  const user = directory.user(userId);
  return user === undefined ? { user_id: userId } : { user_id: userId, name: user.fullName };
}

/** A place as answers name it, by what the channel is called now. */
export function wirePlace(directory: Directory, place: Place): object {
  if ('to' in place) return { users: place.to.map((userId) => wireUser(directory, userId)) };
  const { channelId, topic } = place;
  return { channel_id: channelId, channel: directory.channel(channelId)?.name, topic };
}

/** Content of a version, as it was recorded. */
export function wireContent({
  content,
  rendered,
  mentions,
  channelWildcard,
  topicWildcard,
  alerted,
  files,
}: MessageSent['data'] | ContentEdit): object {
  return {
    content,
    rendered,
    mentions,
    channel_wildcard: channelWildcard,
    topic_wildcard: topicWildcard,
    alerted,
    files: files?.map(({ fileId, ownerId }) => ({ file_id: fileId, owner_id: ownerId })),
  };
}

import type { JsonObject } from '#kernel';
import type { WaitingMessage } from '#reading';
import type { Directory } from '#people';
import type { User } from '#users/model';

/** Characters of a message in a notification: the networks of devices take some 4 kB in all. */
const CONTENT_LENGTH_MAX = 200;
const REDACTED = 'New message';

/** What notifications of one organization have in common. */
export interface PayloadContext {
  readonly directory: Directory;
  readonly siteUrl: string;
}

/** A message for devices that decrypt it. */
export function messagePayload(
  context: PayloadContext,
  user: User,
  trigger: string,
  message: WaitingMessage,
): JsonObject {
  const { directory } = context;
  const { messageId, senderId, place, topic, content, sentAt } = message;
  return {
    type: 'message',
    ...common(context, user),
    message_id: messageId,
    sender_id: senderId,
    sender_full_name: directory.user(senderId)?.fullName ?? '',
    ...('participants' in place
      ? { recipient_type: 'direct', recipient_user_ids: [...place.participants] }
      : {
          recipient_type: 'channel',
          channel_id: place.channelId,
          channel_name: directory.channel(place.channelId)?.name ?? '',
          topic,
        }),
    trigger,
    content: shortened(content),
    time: sentAt,
  };
}

/** A message for devices that registered by their tokens. Services on the way can read it. */
export function plainMessagePayload(
  context: PayloadContext,
  user: User,
  trigger: string,
  message: WaitingMessage,
): JsonObject {
  const { directory, siteUrl } = context;
  const { messageId, senderId, place, topic, content, sentAt } = message;
  const isRedacted = directory.settings.require_e2ee_push_notifications;
  const sender = directory.user(senderId);
  return {
    event: 'message',
    server: new URL(siteUrl).host,
    realm_uri: siteUrl,
    ...common(context, user),
    zulip_message_id: messageId,
    sender_id: senderId,
    sender_email: sender?.botType === null ? `user${senderId}@${new URL(siteUrl).hostname}` : (sender?.email ?? ''),
    sender_full_name: isRedacted ? '' : (sender?.fullName ?? ''),
    ...('participants' in place
      ? { recipient_type: 'private', pm_users: place.participants.join(',') }
      : {
          recipient_type: 'stream',
          stream_id: place.channelId,
          stream: isRedacted ? '' : (directory.channel(place.channelId)?.name ?? ''),
          topic: isRedacted ? '' : topic,
        }),
    trigger,
    content: isRedacted ? REDACTED : shortened(content),
    content_truncated: !isRedacted && content.length > CONTENT_LENGTH_MAX,
    time: sentAt,
  };
}

/** Takes notifications of messages away from devices that decrypt them. */
export function removalPayload(context: PayloadContext, user: User, messageIds: readonly number[]): JsonObject {
  return { type: 'remove', ...common(context, user), message_ids: [...messageIds] };
}

export function plainRemovalPayload(context: PayloadContext, user: User, messageIds: readonly number[]): JsonObject {
  return {
    event: 'remove',
    server: new URL(context.siteUrl).host,
    realm_uri: context.siteUrl,
    ...common(context, user),
    zulip_message_ids: messageIds.join(','),
  };
}

function common({ directory, siteUrl }: PayloadContext, { userId }: User): JsonObject {
  return { realm_url: siteUrl, realm_name: directory.organization.name, user_id: userId };
}

/** Whole characters: half of a surrogate pair is no text. */
function shortened(content: string): string {
  const characters = Array.from(content.slice(0, 2 * CONTENT_LENGTH_MAX));
  if (characters.length <= CONTENT_LENGTH_MAX && content.length <= 2 * CONTENT_LENGTH_MAX) return content;
  return `${characters.slice(0, CONTENT_LENGTH_MAX).join('')}…`;
}

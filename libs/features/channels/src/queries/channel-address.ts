import { createHash } from 'node:crypto';
import { badRequest } from '#kernel';
import type { Directory } from '#people';
import type { User } from '#users/model';
import { accessChannelContent, maySendTo } from '../model/channels/channel.access.js';
import type { Channel } from '../model/channels/channel.js';

const TOKEN_LENGTH = 32;

/**
 * E-mail address of the channel for a sender (endpoints.md §8): the viewer, a bot of theirs or the server's own bot for
 * mail. It never changes. This server receives no mail; the address is where a mail server in front of it would deliver.
 * @throws Refusal BAD_REQUEST
 */
export function channelAddress(
  directory: Directory,
  viewer: User,
  channelId: number,
  { senderId, host }: { readonly senderId: number | undefined; readonly host: string },
): string {
  const channel = accessChannelContent(directory, viewer, channelId);
  const sender = senderOf(directory, viewer, senderId);
  if (!maySendTo(directory, sender, channel)) throw badRequest(`Not authorized to send to channel '${channel.name}'`);
  const identity = [directory.organization.uuid, channelId, sender.userId].join(':');
  const token = createHash('sha256').update(identity).digest('hex').slice(0, TOKEN_LENGTH);
  return `${slugOf(channel)}${token}@${host}`;
}

function senderOf(directory: Directory, viewer: User, senderId: number | undefined): User {
  const sender = senderId === undefined ? viewer : directory.user(senderId);
  const isAllowed =
    sender?.userId === viewer.userId || sender?.botOwnerId === viewer.userId || sender?.systemBot === 'email-gateway';
  if (sender === undefined || !isAllowed) throw badRequest('Invalid sender ID');
  return sender;
}

/** What of the name can stand in an address, for people to recognize it. */
function slugOf({ name }: Channel): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return slug === '' ? '' : `${slug}.`;
}

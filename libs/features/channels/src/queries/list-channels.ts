import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { Directory } from '#people';
import { ROLE, type User } from '#users/model';
import { mayKnowChannel, mayReadChannel } from '../model/channels/channel.access.js';
import type { Channel } from '../model/channels/channel.js';
import { byName } from '../wire-channel.js';

/** Channels to list (endpoints.md §8, GET /streams): the union of what is included, without what is excluded. */
export interface ChannelSelection {
  readonly includePublic: boolean;
  readonly includeWebPublic: boolean;
  readonly includeSubscribed: boolean;
  readonly excludeArchived: boolean;
  readonly includeAll: boolean;
  readonly includeDefault: boolean;
  readonly includeOwnerSubscribed: boolean;
  readonly includeCanAccessContent: boolean;
}

export class ListChannelsQuery extends Query<readonly Channel[]> {
  constructor(
    readonly viewer: User,
    readonly selection: ChannelSelection,
  ) {
    super();
  }
}

export const listChannels = query(
  ListChannelsQuery,
  { directory: Directory },
  ({ viewer, selection }, { directory }) => {
    const owner = selection.includeOwnerSubscribed ? ownerOf(directory, viewer) : undefined;
    const listed: Channel[] = [];
    for (const channel of directory.channels()) {
      if (selection.excludeArchived && channel.isArchived) continue;
      // A bot may post where its owner may, so it may learn of these channels.
      const isOwners = owner !== undefined && directory.isSubscribed(owner.userId, channel.channelId);
      const isIncluded =
        mayKnowChannel(directory, viewer, channel) && isSelected(directory, viewer, channel, selection);
      if (isOwners || isIncluded) listed.push(channel);
    }
    return listed.sort(byName);
  },
);

function isSelected(directory: Directory, viewer: User, channel: Channel, selection: ChannelSelection): boolean {
  if (selection.includeAll) return true;
  if (selection.includeSubscribed && directory.isSubscribed(viewer.userId, channel.channelId)) return true;
  if (selection.includePublic && !channel.inviteOnly && viewer.role < ROLE.guest) return true;
  if (selection.includeDefault && channel.isDefault) return true;
  if (selection.includeWebPublic && channel.isWebPublic) return true;
  return selection.includeCanAccessContent && mayReadChannel(directory, viewer, channel);
}

function ownerOf(directory: Directory, viewer: User): User | undefined {
  return viewer.botOwnerId === null ? undefined : directory.user(viewer.botOwnerId);
}

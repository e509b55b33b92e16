import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Directory, mayKnowChannel, mayReadChannel, ROLE, type Channel, type User } from '#organization';
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

@QueryHandler(ListChannelsQuery)
export class ListChannelsHandler implements IQueryHandler<ListChannelsQuery> {
  constructor(private readonly directory: Directory) {}

  execute({ viewer, selection }: ListChannelsQuery): Promise<readonly Channel[]> {
    const owner = selection.includeOwnerSubscribed ? ownerOf(this.directory, viewer) : undefined;
    const listed: Channel[] = [];
    for (const channel of this.directory.channels()) {
      if (selection.excludeArchived && channel.isArchived) continue;
      // A bot may post where its owner may, so it may learn of these channels.
      const isOwners = owner !== undefined && this.directory.isSubscribed(owner.userId, channel.channelId);
      const isIncluded = mayKnowChannel(this.directory, viewer, channel) && this.#included(viewer, channel, selection);
      if (isOwners || isIncluded) listed.push(channel);
    }
    return Promise.resolve(listed.sort(byName));
  }

  #included(viewer: User, channel: Channel, selection: ChannelSelection): boolean {
    if (selection.includeAll) return true;
    if (selection.includeSubscribed && this.directory.isSubscribed(viewer.userId, channel.channelId)) return true;
    if (selection.includePublic && !channel.inviteOnly && viewer.role < ROLE.guest) return true;
    if (selection.includeDefault && channel.isDefault) return true;
    if (selection.includeWebPublic && channel.isWebPublic) return true;
    return selection.includeCanAccessContent && mayReadChannel(this.directory, viewer, channel);
  }
}

function ownerOf(directory: Directory, viewer: User): User | undefined {
  return viewer.botOwnerId === null ? undefined : directory.user(viewer.botOwnerId);
}

import type { Channel } from '../channels/channel.js';
import type { DefaultGroup, DefaultGroups } from './default-groups.js';
import { defaultGroupsPart } from './default-groups.part.js';

/** What of the directory says which groups are offered. */
interface Groups {
  of(part: typeof defaultGroupsPart): DefaultGroups;
  channel(channelId: number): Channel | undefined;
}

/** Default channel groups as new users can choose them, by name. Channels that these cannot join are left out. */
export function offeredDefaultGroups(directory: Groups): readonly DefaultGroup[] {
  const groups = directory.of(defaultGroupsPart).all.map((group) => ({
    ...group,
    channelIds: group.channelIds.filter((channelId) => {
      const channel = directory.channel(channelId);
      return channel !== undefined && !channel.isArchived && !channel.inviteOnly;
    }),
  }));
  return groups.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

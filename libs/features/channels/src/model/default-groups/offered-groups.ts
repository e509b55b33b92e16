import type { Directory } from '#people';
import type { DefaultGroup } from './default-groups.js';
import { defaultGroupsPart } from './default-groups.part.js';

/** Default channel groups as new users can choose them, by name. Channels that these cannot join are left out. */
export function offeredDefaultGroups(directory: Directory): readonly DefaultGroup[] {
  const groups = directory.of(defaultGroupsPart).all.map((group) => ({
    ...group,
    channelIds: group.channelIds.filter((channelId) => {
      const channel = directory.channel(channelId);
      return channel !== undefined && !channel.isArchived && !channel.inviteOnly;
    }),
  }));
  return groups.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

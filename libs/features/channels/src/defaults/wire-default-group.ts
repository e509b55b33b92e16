import type { JsonObject } from '#kernel';
import type { Directory } from '#organization';
import { defaultGroupsPart } from '../model/default-groups/default-groups.part.js';

/** Default channel groups in wire format (register.md §2), by name. Channels that new users cannot join are left out. */
export function wireDefaultGroups(directory: Directory): readonly JsonObject[] {
  const groups = directory.of(defaultGroupsPart).all.map(({ defaultGroupId, name, description, channelIds }) => {
    const streams = channelIds.filter((channelId) => {
      const channel = directory.channel(channelId);
      return channel !== undefined && !channel.isArchived && !channel.inviteOnly;
    });
    return { id: defaultGroupId, name, description, streams };
  });
  return groups.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

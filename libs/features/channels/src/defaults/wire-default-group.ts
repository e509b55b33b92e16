import type { Directory } from '#people';
import { type EventSchemas, integer, list, named, object, text, type Wire } from '#wire';
import { defaultGroupsPart } from '../model/default-groups/default-groups.part.js';

export const DefaultGroupSchema = named(
  'DefaultChannelGroup',
  object({ id: integer, name: text, description: text, streams: list(integer) }),
);

export const defaultGroupEventSchemas = {
  default_stream_groups: { default_stream_groups: list(DefaultGroupSchema) },
} satisfies EventSchemas;

export const defaultGroupFieldSchemas = { realm_default_stream_groups: list(DefaultGroupSchema) };

/** Default channel groups in wire format (register.md §2), by name. Channels that new users cannot join are left out. */
export function wireDefaultGroups(directory: Directory): readonly Wire<typeof DefaultGroupSchema>[] {
  const groups = directory.of(defaultGroupsPart).all.map(({ defaultGroupId, name, description, channelIds }) => {
    const streams = channelIds.filter((channelId) => {
      const channel = directory.channel(channelId);
      return channel !== undefined && !channel.isArchived && !channel.inviteOnly;
    });
    return { id: defaultGroupId, name, description, streams };
  });
  return groups.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

import type { Directory } from '#people';
import { type EventSchemas, integer, list, named, object, text, type Wire } from '#wire';
import { offeredDefaultGroups } from '../model/default-groups/offered-groups.js';

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
  return offeredDefaultGroups(directory).map(({ defaultGroupId: id, name, description, channelIds }) => ({
    id,
    name,
    description,
    streams: [...channelIds],
  }));
}

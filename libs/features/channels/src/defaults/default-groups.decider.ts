import { badRequest, unreachable } from '#kernel';
import { ascending } from '#groups/model';
import { assertAdministrator, hiddenCharacterIn, nameKey, normalizedName, type User } from '#users/model';
import type { Directory } from '#people';
import { mayKnowChannel } from '../model/channels/channel.access.js';
import type { Channel } from '../model/channels/channel.js';
import type { DefaultGroupCommand } from './default-groups.commands.js';
import type { DefaultGroup } from '../model/default-groups/default-groups.js';
import type { DefaultGroupEvent } from '../model/default-groups/default-group.events.js';
import { defaultGroupsPart } from '../model/default-groups/default-groups.part.js';

/** All of them go to every client that registers. */
export const DEFAULT_GROUPS_MAX = 100;
const NAME_LENGTH_MAX = 60;
const DESCRIPTION_LENGTH_MAX = 1024;

/**
 * The organization's default channel groups (endpoints.md §8, /default_stream_groups).
 * @throws Refusal UNAUTHORIZED_PRINCIPAL, BAD_REQUEST
 */
export function decideDefaultGroups(directory: Directory, command: DefaultGroupCommand): readonly DefaultGroupEvent[] {
  const { actor, at } = command;
  assertAdministrator(actor);
  const done = { by: actor.userId, at };
  const { all, lastId } = directory.of(defaultGroupsPart);
  if (command.type === 'create-default-group') {
    if (all.length >= DEFAULT_GROUPS_MAX)
      throw badRequest(`There are too many default channel groups (limit: ${DEFAULT_GROUPS_MAX})`);
    const name = checkName(all, command.name);
    const channels = namedChannels(directory, actor, command.channelNames);
    for (const channel of channels) assertMayBeIn(channel, name);
    const channelIds = ascending(idsOf(channels));
    const description = checkDescription(command.description);
    const data = { defaultGroupId: lastId + 1, name, description, channelIds, ...done };
    return [{ type: 'default-channel-group.created.v1', data }];
  }
  const group = findGroup(all, command.defaultGroupId);
  const { defaultGroupId } = group;
  switch (command.type) {
    case 'describe-default-group': {
      const changes = describedAnew(all, group, command);
      if (Object.keys(changes).length === 0) return [];
      return [{ type: 'default-channel-group.changed.v1', data: { defaultGroupId, ...changes, ...done } }];
    }
    case 'add-to-default-group': {
      const added = namedChannels(directory, actor, command.channelNames);
      for (const channel of added) assertMayBeAdded(channel, group);
      if (added.length === 0) return [];
      const channelIds = ascending([...group.channelIds, ...idsOf(added)]);
      return [{ type: 'default-channel-group.changed.v1', data: { defaultGroupId, channelIds, ...done } }];
    }
    case 'remove-from-default-group': {
      const removed = namedChannels(directory, actor, command.channelNames);
      for (const channel of removed) assertIsIn(channel, group);
      if (removed.length === 0) return [];
      const removedIds = new Set(idsOf(removed));
      const channelIds = group.channelIds.filter((channelId) => !removedIds.has(channelId));
      return [{ type: 'default-channel-group.changed.v1', data: { defaultGroupId, channelIds, ...done } }];
    }
    case 'remove-default-group':
      return [{ type: 'default-channel-group.removed.v1', data: { defaultGroupId, ...done } }];
    default:
      return unreachable(command);
  }
}

function findGroup(groups: readonly DefaultGroup[], defaultGroupId: number): DefaultGroup {
  const group = groups.find((one) => one.defaultGroupId === defaultGroupId);
  if (group === undefined) throw badRequest(`Default channel group with id '${defaultGroupId}' does not exist.`);
  return group;
}

function describedAnew(
  groups: readonly DefaultGroup[],
  group: DefaultGroup,
  command: DefaultGroupCommand & { readonly type: 'describe-default-group' },
): { readonly name?: string; readonly description?: string } {
  if (command.name === undefined && command.description === undefined)
    throw badRequest('You must pass "new_description" or "new_group_name".');
  const name = command.name === undefined ? group.name : checkName(groups, command.name, group);
  const description = command.description === undefined ? group.description : checkDescription(command.description);
  return {
    ...(name === group.name ? {} : { name }),
    ...(description === group.description ? {} : { description }),
  };
}

/** Unknown and invisible channels are refused alike. */
function namedChannels(directory: Directory, actor: User, names: readonly string[]): Channel[] {
  const found = new Map<number, Channel>();
  for (const name of names) {
    const channel = directory.channelByName(name.trim());
    if (channel === undefined || !mayKnowChannel(directory, actor, channel))
      throw badRequest(`Invalid channel name '${name}'`);
    found.set(channel.channelId, channel);
  }
  return [...found.values()];
}

function assertMayBeAdded(channel: Channel, group: DefaultGroup): void {
  if (group.channelIds.includes(channel.channelId))
    throw badRequest(`Channel '${channel.name}' is already present in default channel group '${group.name}'`);
  assertMayBeIn(channel, group.name);
}

function assertMayBeIn({ name, isDefault, inviteOnly, isArchived }: Channel, groupName: string): void {
  if (isDefault) throw badRequest(`'${name}' is a default channel and cannot be added to '${groupName}'`);
  if (inviteOnly) throw badRequest('Private channels cannot be made default.');
  if (isArchived) throw badRequest(`Channel '${name}' is archived.`);
}

function assertIsIn({ channelId, name }: Channel, group: DefaultGroup): void {
  if (!group.channelIds.includes(channelId))
    throw badRequest(`Channel '${name}' is not present in default channel group '${group.name}'`);
}

function checkName(groups: readonly DefaultGroup[], raw: string, itself?: DefaultGroup): string {
  const name = normalizedName(raw);
  if (name === '') throw badRequest(`Invalid default channel group name '${raw}'`);
  if (Array.from(name).length > NAME_LENGTH_MAX)
    throw badRequest(`Default channel group name too long (limit: ${NAME_LENGTH_MAX} characters)`);
  const invalid = hiddenCharacterIn(name);
  if (invalid !== -1) throw badRequest(`Invalid character in default channel group name, at position ${invalid + 1}.`);
  const key = nameKey(name);
  if (groups.some((other) => other !== itself && nameKey(other.name) === key))
    throw badRequest(`Default channel group '${name}' already exists`);
  return name;
}

function checkDescription(raw: string): string {
  if (raw.includes('\0')) throw badRequest('Invalid character in description.');
  const description = raw.trim();
  if (Array.from(description).length > DESCRIPTION_LENGTH_MAX)
    throw badRequest(`description is too long (limit: ${DESCRIPTION_LENGTH_MAX} characters)`);
  return description;
}

function idsOf(channels: readonly Channel[]): number[] {
  return channels.map(({ channelId }) => channelId);
}

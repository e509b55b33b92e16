import { badRequest } from '#kernel';
import { acceptUpdate, type GroupSetting, type GroupSettingUpdate, groupsNamedBy, isSameSetting } from '#groups/model';
import type { Directory } from '#people';
import { holdsRealmPermission } from '#realm/model';
import { ROLE, type User } from '#users/model';
import {
  CHANNEL_PERMISSION_NAMES,
  type ChannelPermission,
  defaultChannelPermission,
  mayNameEveryoneInChannel,
} from './model/channels/channel-permissions.js';
import type { Channel } from './model/channels/channel.js';

/** The settings that change. @throws Refusal EXPECTATION_MISMATCH, BAD_REQUEST */
export function acceptPermissionChanges(
  directory: Directory,
  channel: Channel,
  asked: Readonly<Partial<Record<ChannelPermission, GroupSettingUpdate>>>,
): Record<string, { from: GroupSetting; to: GroupSetting }> {
  const changes: Record<string, { from: GroupSetting; to: GroupSetting }> = {};
  for (const name of CHANNEL_PERMISSION_NAMES) {
    const update = asked[name];
    if (update === undefined) continue;
    const from = channel.permissions[name];
    const to = acceptUpdate(directory, update, from);
    assertNamable(directory, name, to);
    if (!isSameSetting(from, to)) changes[name] = { from, to };
  }
  return changes;
}

/**
 * Checks that the setting may be given to the groups of the value (`server_supported_permission_settings`).
 * @throws Refusal BAD_REQUEST
 */
export function assertNamable(directory: Directory, name: ChannelPermission, value: GroupSetting): void {
  if (mayNameEveryoneInChannel(name)) return;
  if (groupsNamedBy(value).some((groupId) => directory.group(groupId)?.name === 'role:everyone'))
    throw badRequest(`'${name}' setting cannot be set to 'role:everyone' group.`);
}

/**
 * Checks the organization's permission for settings of who deletes messages.
 * @param changed settings that become others than they are, or than they would be in a new channel
 * @throws Refusal BAD_REQUEST
 */
export function assertMaySetDeletion(
  directory: Directory,
  actor: User,
  changed: Readonly<Partial<Record<ChannelPermission, unknown>>>,
): void {
  if (changed.can_delete_any_message_group === undefined && changed.can_delete_own_message_group === undefined) return;
  if (!maySetPolicy(directory, actor, 'can_set_delete_message_policy_group'))
    throw badRequest('Insufficient permission');
}

/** Whether the actor may set a policy of channels: administrators always may, whomever the setting names (rules.md §14). */
export function maySetPolicy(
  directory: Directory,
  actor: User,
  name: 'can_set_delete_message_policy_group' | 'can_set_topics_policy_group',
): boolean {
  return actor.role <= ROLE.administrator || holdsRealmPermission(directory, actor, name);
}

/** Of the settings that are given for a new channel, those with other values than a new channel has without them. */
export function unusualPermissions(
  { userId }: User,
  given: Readonly<Partial<Record<ChannelPermission, GroupSetting>>>,
): Partial<Record<ChannelPermission, GroupSetting>> {
  const unusual: Partial<Record<ChannelPermission, GroupSetting>> = {};
  for (const name of CHANNEL_PERMISSION_NAMES) {
    const value = given[name];
    if (value !== undefined && !isSameSetting(value, defaultChannelPermission(name, userId))) unusual[name] = value;
  }
  return unusual;
}

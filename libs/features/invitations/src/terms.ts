import { badRequest } from '#kernel';
import { accessChangeableGroup, assertMayLetIn, mayOnGroup } from '#groups';
import { ascending } from '#groups/model';
import type { Directory } from '#people';
import { holdsRealmPermission } from '#realm/model';
import { mayKnowChannel, maySubscribeOthers } from '#channels/model';
import { ROLE, type User } from '#users/model';
import type { AskedTerms } from './invitations.commands.js';
import type { Invitation } from './model/invitation.js';

export type Terms = Pick<Invitation, 'role' | 'channelIds' | 'groupIds' | 'includesDefaults' | 'welcome' | 'expiresAt'>;

/**
 * What an invitation by this actor gives (endpoints.md §11, POST /invites).
 * @throws Refusal BAD_REQUEST; UNAUTHORIZED_PRINCIPAL for a group whose members may audit
 */
export function acceptTerms(directory: Directory, actor: User, asked: AskedTerms, at: number): Terms {
  const { role, includesDefaults, welcome, expiresInMinutes } = asked;
  const mayGreet = actor.role <= ROLE.administrator;
  return {
    role,
    channelIds: acceptChannels(directory, actor, asked.channelIds),
    groupIds: acceptGroups(directory, actor, asked.groupIds),
    includesDefaults,
    ...(welcome === null || !mayGreet ? undefined : { welcome }),
    ...(expiresInMinutes === null ? undefined : { expiresAt: at + 60 * expiresInMinutes }),
  };
}

function acceptChannels(directory: Directory, actor: User, channelIds: readonly number[]): readonly number[] {
  if (channelIds.length === 0) return [];
  const channels = channelIds.map((channelId) => {
    const channel = directory.channel(channelId);
    if (channel === undefined || channel.isArchived || !mayKnowChannel(directory, actor, channel))
      throw badRequest(`Invalid channel ID ${channelId}. No invites were sent.`);
    return channel;
  });
  const may = channels.map((channel) => maySubscribeOthers(directory, actor, channel));
  // Who can subscribe nobody names no channels, not even default channels.
  if (!holdsRealmPermission(directory, actor, 'can_add_subscribers_group') && !may.includes(true))
    throw badRequest('You do not have permission to subscribe other users to channels.');
  const refused = channels.find((channel, index) => may[index] !== true && !channel.isDefault);
  if (refused !== undefined)
    throw badRequest(`You do not have permission to subscribe other users to the channel ${refused.channelId}.`);
  return ascending(channelIds);
}

function acceptGroups(directory: Directory, actor: User, groupIds: readonly number[]): readonly number[] {
  for (const groupId of groupIds) {
    const group = accessChangeableGroup(directory, actor, groupId);
    if (group.isDeactivated) throw badRequest('User group is deactivated.');
    if (!mayOnGroup(directory, actor, group, 'can_add_members_group')) throw badRequest('Insufficient permission');
    assertMayLetIn(directory, actor, group);
  }
  return ascending(groupIds);
}

import type { Directory } from '#people';
import { offeredDefaultGroups } from '#channels/model';
import { isOfAuditors } from '#groups';
import { deadLink } from '#pages';
import { type AccountEvent, defaultChannelIds, newAccount } from '#users';
import { ROLE } from '#users/model';
import { usableInvitation } from './invitations.access.js';
import type { AcceptInvitation } from './invitations.commands.js';
import type { Invitation } from './model/invitation.js';

/**
 * Makes the account of somebody who joins by an invitation (endpoints.md §11): with its role, channels and groups. It is decided at
 * the revision of the organization's stream, so of two who join by the same personal invitation at once, one does.
 * @throws Refusal NOT_FOUND for an invitation that nobody can join by any more; BAD_REQUEST
 */
export function decideAccept(directory: Directory, command: AcceptInvitation): readonly AccountEvent[] {
  const { invitationId, email, defaultGroupIds, ...account } = command;
  const { at } = account;
  const invitation = usableInvitation(directory, invitationId, at);
  if (invitation === undefined) throw deadLink();
  const { role, by, personal } = invitation;
  if (personal !== undefined && (personal.email !== email || directory.userByEmail(email) !== undefined))
    throw deadLink();
  const userId = directory.nextUserId;
  const channelIds = channelsOf(directory, invitation, defaultGroupIds);
  const welcome = invitation.welcome ?? directory.settings.welcome_message_custom_text;
  const isTold = personal?.notifiesInviter === true && directory.user(by)?.isActive === true;
  const accepted = { invitationId, isLink: personal === undefined, inviterId: by, userId, at };
  return [
    ...newAccount(directory, { ...account, email, role, channelIds, welcome, invitationId }),
    ...joinGroups(directory, invitation, userId, at),
    { type: 'invitation.accepted.v1', data: { ...accepted, ...(isTold && { entails: 'notice' as const }) } },
  ];
}

/**
 * Channels to subscribe to: those of the invitation that are not archived, default channels, and those of the default groups that were
 * chosen. A group that is gone since the form was shown adds nothing; guests are offered none.
 */
function channelsOf(
  directory: Directory,
  { channelIds, includesDefaults, role }: Invitation,
  defaultGroupIds: readonly number[],
): readonly number[] {
  const open = channelIds.filter((channelId) => directory.channel(channelId)?.isArchived === false);
  const defaults = includesDefaults ? defaultChannelIds(directory) : [];
  const groups = defaultGroupIds.length === 0 || role >= ROLE.guest ? [] : offeredDefaultGroups(directory);
  const chosen = groups.flatMap((group) => (defaultGroupIds.includes(group.defaultGroupId) ? group.channelIds : []));
  return [...new Set([...open, ...defaults, ...chosen])].sort((a, b) => a - b);
}

/** Groups that are active. Those whose members may audit only where the inviter is an owner still: the group may be one of them since. */
function joinGroups(
  directory: Directory,
  { groupIds, by }: Invitation,
  userId: number,
  at: number,
): readonly AccountEvent[] {
  const inviter = directory.user(by);
  const isByOwner = inviter?.isActive === true && inviter.role === ROLE.owner;
  const open = groupIds.filter((groupId) => directory.group(groupId)?.isDeactivated === false);
  return open.flatMap((groupId) => {
    const data = { groupId, userIds: [userId], by, at };
    if (!isOfAuditors(directory, groupId)) return [{ type: 'group.members-added.v1', data }];
    return isByOwner ? [{ type: 'group.members-added.v1', data: { ...data, entails: 'owners' } }] : [];
  });
}

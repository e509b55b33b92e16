import type { Decider } from '#kernel';
import { Directory, type OrganizationEvent } from '#people';
import { ROLE, type User } from '#users/model';
import { evolveDirectory, sampleAccount, sampleOrganization, sampleUser } from '#testing';
import { newGroupPermissions } from './model/group-permissions.js';
import { SYSTEM_GROUPS } from './model/system-groups.js';
import type { GroupCommand } from './groups.commands.js';
import { decideGroup } from './groups.decider.js';

export const at = 1_790_000_000;
export const BOT = 1;
export const OLGA = 2;
export const ANN = 3;
export const BEN = 4;
export const GUS = 5;
/** The first group that is not a system group. */
export const COOKS = SYSTEM_GROUPS.length + 1;
export const BAKERS = COOKS + 1;
export const SMITHS = COOKS + 2;

const ROLES = { [OLGA]: ROLE.owner, [ANN]: ROLE.member, [BEN]: ROLE.member, [GUS]: ROLE.guest };

/** Olga owns the organization, Ann and Ben are members, Gus is a guest; the notification bot exists. */
export const organization: readonly OrganizationEvent[] = [
  sampleOrganization(SYSTEM_GROUPS, at),
  sampleAccount(BOT, ROLE.member, at, { botType: 1, systemBot: 'notification' }),
  ...Object.entries(ROLES).map(([userId, role]) => sampleAccount(Number(userId), role, at)),
];

/** A user of the organization, as the sender of a request. */
export function person(userId: keyof typeof ROLES): User {
  return sampleUser(userId, { role: ROLES[userId] });
}

/** An event of a new group, created by Ann by default. */
export function created(
  groupId: number,
  change: Partial<Extract<OrganizationEvent, { readonly type: 'group.created.v1' }>['data']> = {},
): Extract<OrganizationEvent, { readonly type: 'group.created.v1' }> {
  return {
    type: 'group.created.v1',
    data: {
      groupId,
      name: `Group ${groupId}`,
      description: '',
      userIds: [],
      subgroupIds: [],
      by: ANN,
      at,
      ...change,
      permissions: { ...newGroupPermissions(change.by ?? ANN), ...change.permissions },
    },
  };
}

/** The decider on a directory that applies each event. */
export const groupsDecider: Decider<Directory, GroupCommand, OrganizationEvent> = {
  initial: () => organization.reduce(evolveDirectory, new Directory()),
  decide: decideGroup,
  evolve: evolveDirectory,
};

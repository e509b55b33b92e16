/** The groups of every organization. They are created first, so that their ids are small and the same everywhere. */
export const SYSTEM_GROUPS = [
  { groupId: 1, name: 'role:owners', description: 'Owners of this organization', directSubgroups: [] },
  {
    groupId: 2,
    name: 'role:administrators',
    description: 'Administrators of this organization, including owners',
    directSubgroups: [1],
  },
  {
    groupId: 3,
    name: 'role:moderators',
    description: 'Moderators of this organization, including administrators',
    directSubgroups: [2],
  },
  {
    groupId: 4,
    name: 'role:fullmembers',
    description: 'Members of this organization, not including new accounts and guests',
    directSubgroups: [3],
  },
  {
    groupId: 5,
    name: 'role:members',
    description: 'Members of this organization, not including guests',
    directSubgroups: [4],
  },
  {
    groupId: 6,
    name: 'role:everyone',
    description: 'Everyone in this organization, including guests',
    directSubgroups: [5],
  },
  { groupId: 7, name: 'role:internet', description: 'Everyone on the Internet', directSubgroups: [6] },
  { groupId: 8, name: 'role:nobody', description: 'Nobody', directSubgroups: [] },
] as const;

export type SystemGroupName = (typeof SYSTEM_GROUPS)[number]['name'];

export function systemGroupId(name: SystemGroupName): number {
  const group = SYSTEM_GROUPS.find((candidate) => candidate.name === name);
  if (group === undefined) throw new Error(`There is no system group ${name}.`);
  return group.groupId;
}

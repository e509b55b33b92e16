import { type Directory, type Group, GROUP_PERMISSIONS, systemGroupId } from '#organization';
import type { FieldTexts } from '../field-texts.js';
import type { Wanted } from '../wanted.js';
import { wants } from '../wanted.js';

/** Members of system groups follow from everybody's roles: worked out once for each state of the organization. */
const texts = new WeakMap<Directory, { readonly revision: number; readonly groups: readonly string[] }>();

/** All groups by id, the system's included (register.md §2, `realm_user_groups`). */
export function addGroups(fields: FieldTexts, wanted: Wanted): void {
  if (!wants(wanted, 'realm_user_groups')) return;
  const { directory } = wanted;
  let known = texts.get(directory);
  if (known?.revision !== directory.revision) {
    const groups = [...directory.groups()].sort((a, b) => a.groupId - b.groupId);
    known = {
      revision: directory.revision,
      groups: groups.map((group) => JSON.stringify(wireGroup(directory, group))),
    };
    texts.set(directory, known);
  }
  fields.addList('realm_user_groups', known.groups);
}

/** A group as the interface shows it (endpoints.md §10). Nobody may change a system group. */
function wireGroup(directory: Directory, group: Group): Readonly<Record<string, unknown>> {
  const nobody = systemGroupId('role:nobody');
  return {
    id: group.groupId,
    name: group.name,
    description: group.description,
    date_created: null,
    creator_id: null,
    is_system_group: group.isSystemGroup,
    members: directory.directMemberIds(group),
    direct_subgroup_ids: [...group.directSubgroups],
    deactivated: false,
    ...Object.fromEntries(Object.keys(GROUP_PERMISSIONS).map((name) => [name, nobody])),
  };
}

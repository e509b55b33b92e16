import type { DirectoryParts } from '#directory';
import { usersPart } from '#users/model';
import { type GroupSetting, normalizeGroupSetting, type WireGroupSetting, wholeSetting } from './group-setting.js';

/** The setting as clients see it: without deactivated users, who are shown again when they are reactivated. */
export function wireGroupSetting(
  directory: DirectoryParts,
  value: GroupSetting,
  inactiveIds = directory.of(usersPart).inactiveIds,
): WireGroupSetting {
  return wholeSetting(shownSetting(directory, value, inactiveIds));
}

/** The setting without deactivated users, normalized. */
export function shownSetting(
  directory: DirectoryParts,
  value: GroupSetting,
  inactiveIds = directory.of(usersPart).inactiveIds,
): GroupSetting {
  if (typeof value === 'number') return value;
  const { directMembers, directSubgroups } = value;
  const active = directMembers.filter((userId) => !inactiveIds.has(userId));
  if (active.length === directMembers.length) return value;
  return normalizeGroupSetting({ direct_members: active, direct_subgroups: directSubgroups });
}

export type { Group } from './group.js';
export { GROUP_PERMISSIONS, newGroupPermissions } from './group-permissions.js';
export {
  ascending,
  type GroupSetting,
  GroupSettingSchema,
  type GroupSettingUpdate,
  GroupSettingUpdateSchema,
  groupsNamedBy,
  isSameSetting,
  namesUser,
  normalizeGroupSetting,
  type WireGroupSetting,
  WireGroupSettingSchema,
} from './group-setting.js';
export { StoredGroupSettingSchema } from './group-setting.schema.js';
export { mayMentionGroup } from './group.access.js';
export { type GroupEvent, groupEventTypes } from './group.events.js';
export type { GroupBook } from './group-book.js';
export { groupsPart } from './groups.part.js';
export { wireGroupSetting } from './shown-setting.js';
export { smallestSystemGroup } from './smallest-group.js';
export { SYSTEM_GROUPS, systemGroupId, type SystemGroupName } from './system-groups.js';
export { acceptUpdate, assertUsableSetting } from './usable-setting.js';

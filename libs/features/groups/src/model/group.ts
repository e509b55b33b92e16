import type { ReadonlyIdSet } from '#kernel';
import type { GroupPermission } from './group-permissions.js';
import type { GroupSetting } from './group-setting.js';

export interface Group {
  readonly groupId: number;
  readonly name: string;
  readonly description: string;
  readonly isSystemGroup: boolean;
  /** A deactivated group keeps its members, and can be used neither in mentions nor in settings. */
  readonly isDeactivated: boolean;
  /** null for system groups. */
  readonly creatorId: number | null;
  /** Seconds since the epoch; null for system groups. */
  readonly createdAt: number | null;
  /** Ascending. */
  readonly directSubgroups: readonly number[];
  /** Deactivated users included; members of a system group are derived from roles. */
  readonly directMembers: ReadonlyIdSet;
  readonly permissions: Readonly<Record<GroupPermission, GroupSetting>>;
}

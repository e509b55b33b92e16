import type { ByActor } from '#users/model';
import type { GroupPermission } from './model/group-permissions.js';
import type { GroupSettingUpdate, WireGroupSetting } from './model/group-setting.js';

export interface CreateGroup extends ByActor {
  readonly type: 'create-group';
  readonly name: string;
  readonly description: string;
  readonly memberIds: readonly number[];
  readonly subgroupIds: readonly number[];
  /** Absent ones get the defaults of a new group. */
  readonly permissions: Readonly<Partial<Record<GroupPermission, WireGroupSetting>>>;
}

export interface ChangeGroup extends ByActor {
  readonly type: 'change-group';
  readonly groupId: number;
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** false reactivates; true changes nothing. */
  readonly deactivated: boolean | undefined;
  readonly permissions: Readonly<Partial<Record<GroupPermission, GroupSettingUpdate>>>;
}

export interface DeactivateGroup extends ByActor {
  readonly type: 'deactivate-group';
  readonly groupId: number;
}

/** Adds and removes direct members and subgroups: all of it or nothing. */
export interface ChangeMembers extends ByActor {
  readonly type: 'change-members';
  readonly groupId: number;
  readonly addIds: readonly number[];
  readonly removeIds: readonly number[];
  readonly addSubgroupIds: readonly number[];
  readonly removeSubgroupIds: readonly number[];
}

export type GroupCommand = CreateGroup | ChangeGroup | DeactivateGroup | ChangeMembers;

import { Type } from 'typebox';
import { boolean, json, Param, Shape, text } from '#http';
import { MaxCharacters } from '#validation';
import {
  type GroupSettingUpdate,
  GroupSettingUpdateSchema,
  type WireGroupSetting,
  WireGroupSettingSchema,
} from '../model/group-setting.js';
import { GROUP_DESCRIPTION_LENGTH_MAX, GROUP_NAME_LENGTH_MAX } from '../group-text.js';

/** All of them are checked, and named in an event, in one turn. */
const MEMBERS_MAX = 10_000;
const SUBGROUPS_MAX = 1000;

const Id = Type.Integer({ minimum: 1 });
const AreUsers = Shape(Type.Array(Id, { maxItems: MEMBERS_MAX }));
const AreGroups = Shape(Type.Array(Id, { maxItems: SUBGROUPS_MAX }));
// Names that are slightly too long get their own refusal text later; far longer ones need not be counted.
const IsName = MaxCharacters(10 * GROUP_NAME_LENGTH_MAX);
const IsDescription = MaxCharacters(10 * GROUP_DESCRIPTION_LENGTH_MAX);
const IsSetting = Shape(WireGroupSettingSchema);
const IsUpdate = Shape(GroupSettingUpdateSchema);

export class CreateGroupParams {
  @Param(text())
  @IsName
  name!: string;

  @Param(text())
  @IsDescription
  description!: string;

  @Param(json())
  @AreUsers
  members!: number[];

  @Param(json(), { default: [] })
  @AreGroups
  subgroups!: number[];

  @Param(json(), { optional: true })
  @IsSetting
  can_add_members_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsSetting
  can_join_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsSetting
  can_leave_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsSetting
  can_manage_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsSetting
  can_mention_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsSetting
  can_remove_members_group?: WireGroupSetting;
}

export class ChangeGroupParams {
  @Param(text(), { optional: true })
  @IsName
  name?: string;

  @Param(text(), { optional: true })
  @IsDescription
  description?: string;

  @Param(boolean(), { optional: true, description: '`false` reactivates the group.' })
  deactivated?: boolean;

  @Param(json(), { optional: true })
  @IsUpdate
  can_add_members_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_join_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_leave_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_manage_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_mention_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_remove_members_group?: GroupSettingUpdate;
}

export class ListGroupsParams {
  @Param(boolean(), { aliases: ['allow_deactivated'], default: false })
  include_deactivated_groups!: boolean;
}

export class ListMembersParams {
  @Param(boolean(), { default: false })
  direct_member_only!: boolean;
}

export class ListSubgroupsParams {
  @Param(boolean(), { default: false })
  direct_subgroup_only!: boolean;
}

export class ChangeMembersParams {
  @Param(json(), { default: [] })
  @AreUsers
  add!: number[];

  @Param(json(), { default: [] })
  @AreUsers
  delete!: number[];

  @Param(json(), { default: [] })
  @AreGroups
  add_subgroups!: number[];

  @Param(json(), { default: [] })
  @AreGroups
  delete_subgroups!: number[];
}

export class ChangeSubgroupsParams {
  @Param(json(), { default: [] })
  @AreGroups
  add!: number[];

  @Param(json(), { default: [] })
  @AreGroups
  delete!: number[];
}

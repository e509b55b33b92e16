import { Type } from 'typebox';
import { exactly } from '#event-store';

const Id = Type.Integer({ minimum: 1 });

/** Holders of a permission: a group's id, or a list of users and groups (objects.md, "Group-setting value"). */
export const StoredGroupSettingSchema = Type.Union([
  Id,
  exactly({ directMembers: Type.Array(Id), directSubgroups: Type.Array(Id) }),
]);

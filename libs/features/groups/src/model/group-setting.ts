import { Type } from 'typebox';
import { integer, list, named, object, oneOf, type Wire } from '#wire';
import { systemGroupId } from './system-groups.js';

/** Holders of a permission (objects.md, "Group-setting value"). */
export type GroupSetting =
  number | { readonly directMembers: readonly number[]; readonly directSubgroups: readonly number[] };

/** A group setting on the wire. */
export const GroupSettingSchema = named(
  'GroupSetting',
  oneOf(integer, object({ direct_members: list(integer), direct_subgroups: list(integer) })),
);
export type WireGroupSetting = Wire<typeof GroupSettingSchema>;

/** The new holders of a permission, and the holders that the client expects (objects.md, "Group-setting update"). */
export interface GroupSettingUpdate {
  readonly new: WireGroupSetting;
  /** Null for none, as some clients write what is absent. */
  readonly old?: WireGroupSetting | null;
}

/** Maximum members or subgroups in one value. */
const HOLDERS_MAX = 10_000;

const Id = Type.Integer({ minimum: 1 });
const Ids = Type.Array(Id, { maxItems: HOLDERS_MAX });

/** For parameters of requests. */
export const WireGroupSettingSchema = Type.Union([Id, Type.Object({ direct_members: Ids, direct_subgroups: Ids })]);
export const GroupSettingUpdateSchema = Type.Object({
  new: WireGroupSettingSchema,
  old: Type.Optional(Type.Union([WireGroupSettingSchema, Type.Null()])),
});

/** Sorted, without repeats. */
export function ascending(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** Normal form: sorted, without repeats, a single subgroup as its plain id, and no holder as `role:nobody`. */
export function normalizeGroupSetting(value: WireGroupSetting): GroupSetting {
  if (typeof value === 'number') return value;
  const directMembers = ascending(value.direct_members);
  const directSubgroups = ascending(value.direct_subgroups);
  if (directMembers.length > 0 || directSubgroups.length > 1) return { directMembers, directSubgroups };
  return directSubgroups[0] ?? systemGroupId('role:nobody');
}

/** The setting in wire format as it is stored; what clients see is `wireGroupSetting`. */
export function wholeSetting(value: GroupSetting): WireGroupSetting {
  if (typeof value === 'number') return value;
  return { direct_members: value.directMembers, direct_subgroups: value.directSubgroups };
}

/** Whether both have the same holders; both are normalized. */
export function isSameSetting(one: GroupSetting, other: GroupSetting): boolean {
  return JSON.stringify(wholeSetting(one)) === JSON.stringify(wholeSetting(other));
}

/** Whether the setting names the user, and not only a group of theirs. */
export function namesUser(value: GroupSetting, userId: number): boolean {
  return typeof value !== 'number' && value.directMembers.includes(userId);
}

/** Ids of the groups that the setting names directly. */
export function groupsNamedBy(value: GroupSetting): readonly number[] {
  return typeof value === 'number' ? [value] : value.directSubgroups;
}

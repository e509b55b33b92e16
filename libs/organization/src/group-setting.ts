/** Who holds a permission (specification, "Group-setting value"). */
export type GroupSetting =
  number | { readonly directMembers: readonly number[]; readonly directSubgroups: readonly number[] };

/** The same on the wire. */
export type WireGroupSetting =
  number | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] };

const ascending = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** One spelling per meaning: sorted, without repeats, and a lone subgroup as its plain id. */
export function normalizeGroupSetting(value: WireGroupSetting): GroupSetting {
  if (typeof value === 'number') return value;
  const directMembers = ascending(value.direct_members);
  const directSubgroups = ascending(value.direct_subgroups);
  const [only] = directSubgroups;
  if (directMembers.length === 0 && directSubgroups.length === 1 && only !== undefined) return only;
  return { directMembers, directSubgroups };
}

export function wireGroupSetting(value: GroupSetting): WireGroupSetting {
  if (typeof value === 'number') return value;
  return { direct_members: value.directMembers, direct_subgroups: value.directSubgroups };
}

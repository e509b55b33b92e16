/** Who holds a permission: a group, or people and groups that were named one by one. */
import type { ReactNode } from 'react';
import type { State } from '#client';
import type { ChatState } from '../chat/model/chat-state.js';
import { useChatState, useModel } from '../chat/model/hooks.js';
import { personName } from '../chat/places.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { ChoiceField, type Choices } from './setting-field.js';

/** A group setting as the interface has it. */
export type GroupSetting =
  number | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] };

/** What `server_supported_permission_settings` says of one. */
export interface Supported {
  readonly require_system_group: boolean;
  readonly allow_internet_group: boolean;
  readonly allow_nobody_group: boolean;
  readonly allow_everyone_group: boolean;
  readonly allowed_system_groups: readonly string[];
}

export type SupportedSettings = Readonly<Record<'realm' | 'stream' | 'group', Readonly<Record<string, Supported>>>>;

export const supportedSettings = ({ fields }: State): SupportedSettings =>
  fields.server_supported_permission_settings as SupportedSettings;

export function GroupField(props: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly supported: Supported;
  readonly value: GroupSetting;
  readonly because?: string | undefined;
  readonly save: (value: { readonly new: GroupSetting; readonly old: GroupSetting }) => Promise<unknown>;
}): ReactNode {
  const { label, hint, supported, value, because, save } = props;
  const model = useModel();
  const state = useChatState();
  return (
    <ChoiceField
      label={label}
      hint={hint}
      value={typeof value === 'number' ? value : holdersOf(state, model.groups, value)}
      because={because}
      choices={groupChoices(model, supported)}
      save={(chosen) => save({ new: chosen as number, old: value })}
    />
  );
}

export const groupName = (name: string): string => words.systemGroups[name] ?? name;

function groupChoices({ groups }: State, supported: Supported): Choices {
  const { allowed_system_groups: allowed, require_system_group: isSystemOnly } = supported;
  const excluded = new Set([
    ...(supported.allow_internet_group ? [] : ['role:internet']),
    ...(supported.allow_nobody_group ? [] : ['role:nobody']),
    ...(supported.allow_everyone_group ? [] : ['role:everyone']),
  ]);
  return [...(groups?.values() ?? [])]
    .filter(({ name, ...group }) =>
      group['is_system_group'] === true
        ? !excluded.has(name) && (allowed.length === 0 || allowed.includes(name))
        : !isSystemOnly && group['deactivated'] !== true,
    )
    .map(({ id, name }) => [id, groupName(name)]);
}

function holdersOf(state: ChatState, groups: State['groups'], value: Exclude<GroupSetting, number>): string {
  return words.severalHold([
    ...value.direct_members.map((id) => personName(state, id)),
    ...value.direct_subgroups.map((id) => groupName(groups?.get(id)?.name ?? '')),
  ]);
}

/** Whether somebody is in what a setting names, groups inside of groups included. */
export function isHolder(model: State, value: GroupSetting | undefined, userId: number): boolean {
  if (value === undefined) return false;
  const seen = new Set<number>();
  const isIn = (groupId: number): boolean => {
    if (seen.has(groupId)) return false;
    seen.add(groupId);
    const group = model.groups?.get(groupId);
    return group !== undefined && (group.members.includes(userId) || group.direct_subgroup_ids.some(isIn));
  };
  if (typeof value === 'number') return isIn(value);
  return value.direct_members.includes(userId) || value.direct_subgroups.some(isIn);
}

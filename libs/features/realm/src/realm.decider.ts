import { badRequest, excerpt, Refusal } from '#kernel';
import { usersPart, waitingAfter, assertAdministrator, assertOwner } from '#users/model';
import { accessChannelMetadata } from '#channels/model';
import { acceptUpdate, isSameSetting, SYSTEM_GROUPS, type GroupSetting } from '#groups/model';
import type { Directory, OrganizationEvent } from '#people';
import {
  REALM_PERMISSION_NAMES,
  REALM_PERMISSIONS,
  type RealmPermission,
  type RealmPermissionName,
} from './model/settings/realm-permissions.js';
import { REALM_SETTING_NAMES, type SettingsChange } from './model/settings/changeable-settings.js';
import { REALM_SETTING_TABLE, type RealmSetting } from './model/settings/realm-settings.table.js';
import type { Integrations } from './model/server/integrations.js';
import type { ChangeRealm } from './realm.commands.js';

const CHANNEL_SETTINGS = REALM_SETTING_NAMES.filter((name) => REALM_SETTING_TABLE[name].form.kind === 'channel');
const NO_CHANNEL = -1;

/**
 * Changes what the organization decides (endpoints.md §12, PATCH /realm), all of it or nothing. What is asked to be as it is,
 * is no change.
 * @throws Refusal UNAUTHORIZED_PRINCIPAL, EXPECTATION_MISMATCH, SYSTEM_GROUP_REQUIRED, BAD_REQUEST
 */
export function decideRealmChange(directory: Directory, command: ChangeRealm): readonly OrganizationEvent[] {
  const { actor, at } = command;
  assertMayChange(command);
  if (command.address !== undefined) throw badRequest('The address of the organization cannot be changed.');
  const settings = changesAmong(acceptedSettings(directory, command), directory.settings);
  const permissions: Partial<Record<RealmPermissionName, GroupSetting>> = {};
  for (const name of REALM_PERMISSION_NAMES) {
    const update = command.permissions[name];
    if (update === undefined) continue;
    const value = acceptUpdate(directory, update, directory.permission(name));
    assertAllowed(name, value);
    if (!isSameSetting(value, directory.permission(name))) permissions[name] = value;
  }
  const changes = {
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(Object.keys(permissions).length === 0 ? {} : { permissions }),
  };
  if (Object.keys(changes).length === 0) return [];
  const threshold = settings.waiting_period_threshold;
  const changesAudit = permissions.can_audit_group !== undefined || settings.audit_needs_approval !== undefined;
  const entails = changesAudit ? { entails: { formerAuditors: directory.permission('can_audit_group') } } : {};
  return [
    { type: 'organization.settings-changed.v1', data: { ...changes, by: actor.userId, at, ...entails } },
    ...(threshold === undefined ? [] : waitingAfter(directory.of(usersPart), threshold, at)),
  ];
}

function assertMayChange({ actor, settings, permissions, address }: ChangeRealm): void {
  assertAdministrator(actor);
  const rows: readonly { readonly by?: RealmSetting['by'] }[] = [
    ...REALM_SETTING_NAMES.filter((name) => settings[name] !== undefined).map(
      (name): RealmSetting => REALM_SETTING_TABLE[name],
    ),
    ...REALM_PERMISSION_NAMES.filter((name) => permissions[name] !== undefined).map((name) => REALM_PERMISSIONS[name]),
  ];
  if (address !== undefined || rows.some(({ by }) => by === 'owners')) assertOwner(actor);
}

/** The settings as they are kept. */
function acceptedSettings(directory: Directory, command: ChangeRealm): SettingsChange {
  const { actor, settings, integrations } = command;
  for (const name of CHANNEL_SETTINGS) {
    const channelId = settings[name];
    if (typeof channelId !== 'number' || channelId === NO_CHANNEL || channelId === directory.settings[name]) continue;
    const { isArchived, inviteOnly } = accessChannelMetadata(directory, actor, channelId);
    if (isArchived) throw badRequest('Invalid channel ID');
    // What is reported is for moderators, and who reported it as well.
    if (name === 'moderation_request_channel_id' && !inviteOnly)
      throw badRequest('The channel for moderation requests must be private.');
  }
  const accepted: Record<string, unknown> = { ...settings };
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value === 'string' && value.includes('\0')) throw badRequest(`Invalid character in ${name}.`);
  }
  if (settings.name !== undefined) accepted['name'] = acceptedName(settings.name);
  const { authentication_methods: methods, video_chat_provider: provider } = settings;
  if (methods !== undefined)
    accepted['authentication_methods'] = acceptedLoginMethods(directory, methods, integrations);
  if (provider !== undefined && !integrations.videoChatProviders.some(({ id }) => id === provider))
    throw badRequest(`Invalid video_chat_provider ${provider}`);
  return accepted;
}

/** All methods that have been chosen so far; the current value when nothing changes. */
function acceptedLoginMethods(
  { settings: { authentication_methods: current } }: Directory,
  asked: Readonly<Record<string, boolean>>,
  { loginMethods }: Integrations,
): Readonly<Record<string, boolean>> {
  const known: readonly string[] = loginMethods;
  const unknown = Object.keys(asked).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw badRequest(`Invalid authentication method: ${excerpt(unknown)}. Valid methods are: ${known.join(', ')}`);
  const chosen = { ...current, ...asked };
  if (!known.some((name) => chosen[name] ?? true))
    throw badRequest('At least one authentication method must be enabled.');
  return known.every((name) => (chosen[name] ?? true) === (current[name] ?? true)) ? current : chosen;
}

function acceptedName(raw: string): string {
  const name = raw.trim();
  if (name === '') throw badRequest('name cannot be empty');
  if (/\p{Cc}/u.test(name)) throw badRequest('Invalid character in name.');
  return name;
}

function changesAmong<Settings extends object>(asked: Settings, current: object): Settings {
  const known = current as Readonly<Record<string, unknown>>;
  const changed = Object.entries(asked).filter(([name, value]) => value !== undefined && value !== known[name]);
  return Object.fromEntries(changed) as Settings;
}

function assertAllowed(name: RealmPermissionName, value: GroupSetting): void {
  const rule: RealmPermission = REALM_PERMISSIONS[name];
  const group = typeof value === 'number' ? SYSTEM_GROUPS.find(({ groupId }) => groupId === value)?.name : undefined;
  const { onlySystemGroups } = rule;
  if (onlySystemGroups !== undefined && group === undefined) {
    throw new Refusal('SYSTEM_GROUP_REQUIRED', `'${name}' must be a system user group.`, { setting_name: name });
  }
  if (group === 'role:nobody' && !rule.allowsNobody) throw unnamable(name, group);
  if (!rule.allowsEveryone && includesEveryone(value)) throw unnamable(name, 'role:everyone');
  if (group !== undefined && onlySystemGroups?.includes(group) === false) throw unnamable(name, group);
}

function unnamable(name: RealmPermissionName, group: string): Error {
  return badRequest(`'${name}' setting cannot be set to '${group}' group.`);
}

function includesEveryone(value: GroupSetting): boolean {
  const everyone = SYSTEM_GROUPS.find(({ name }) => name === 'role:everyone')?.groupId;
  const groups = typeof value === 'number' ? [value] : value.directSubgroups;
  return groups.some((groupId) => groupId === everyone);
}

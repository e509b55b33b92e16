import type { SettingsChange } from './changeable-settings.js';
import type { GroupSetting } from './group-setting.js';
import {
  REALM_PERMISSIONS,
  REALM_SETTINGS,
  realmPermission,
  type RealmPermissionName,
} from './organization-settings.js';

/** What an organization has set, as far as it can be changed. */
export type RealmSettings = { readonly [Name in keyof SettingsChange]-?: Exclude<SettingsChange[Name], undefined> };

/** Permissions that can be given to others than in a new organization. */
export const CHANGEABLE_PERMISSIONS = [
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_mention_many_users_group',
  'can_move_messages_between_channels_group',
  'can_move_messages_between_topics_group',
  'can_resolve_topics_group',
  'direct_message_initiator_group',
  'direct_message_permission_group',
] as const satisfies readonly RealmPermissionName[];

export type ChangeablePermission = (typeof CHANGEABLE_PERMISSIONS)[number];

export type RealmPermissions = Readonly<Record<RealmPermissionName, GroupSetting>>;

/** What the organization decides now: its settings and who holds which permission. */
export interface RealmState {
  readonly settings: RealmSettings;
  readonly permissions: RealmPermissions;
}

/** How every organization begins. */
export const NEW_REALM: RealmState = {
  settings: {
    allow_message_editing: REALM_SETTINGS.allow_message_editing,
    message_content_edit_limit_seconds: REALM_SETTINGS.message_content_edit_limit_seconds,
    message_content_delete_limit_seconds: REALM_SETTINGS.message_content_delete_limit_seconds,
    move_messages_within_stream_limit_seconds: REALM_SETTINGS.move_messages_within_stream_limit_seconds,
    move_messages_between_streams_limit_seconds: REALM_SETTINGS.move_messages_between_streams_limit_seconds,
    message_edit_history_visibility_policy: REALM_SETTINGS.message_edit_history_visibility_policy,
    enable_read_receipts: REALM_SETTINGS.enable_read_receipts,
    moderation_request_channel_id: REALM_SETTINGS.moderation_request_channel_id,
    topics_policy: REALM_SETTINGS.topics_policy,
  },
  permissions: Object.fromEntries(
    (Object.keys(REALM_PERMISSIONS) as RealmPermissionName[]).map((name) => [name, realmPermission(name)]),
  ) as RealmPermissions,
};

/** The same with some of it changed. */
export function changedRealm(
  { settings, permissions }: RealmState,
  change: { readonly settings?: SettingsChange; readonly permissions?: Readonly<Record<string, GroupSetting>> },
): RealmState {
  return {
    settings: { ...settings, ...change.settings },
    permissions: { ...permissions, ...change.permissions },
  };
}

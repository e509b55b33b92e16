import type { GroupSetting } from './group-setting.js';
import { CHANNEL_PERMISSIONS } from './channel-permissions.js';
import { systemGroupId, type SystemGroupName } from './system-groups.js';

/**
 * How a new organization is set up, by the settings' names on the wire (register.md §3 to §5). As long as nothing changes
 * them, this is how every organization is set up.
 */

/** What the organization decides, without the prefix `realm_`. Times are in seconds, and null is no limit. */
export const REALM_SETTINGS = {
  description: '',
  org_type: 0,
  plan_type: 1,
  default_language: 'en',
  icon_source: 'G',
  icon_url: '/static/icon.svg',
  logo_source: 'D',
  logo_url: '/static/icon.svg',
  night_logo_source: 'D',
  night_logo_url: '/static/icon.svg',
  invite_required: true,
  emails_restricted_to_domains: false,
  disallow_disposable_email_addresses: true,
  require_unique_names: false,
  name_changes_disabled: false,
  email_changes_disabled: false,
  avatar_changes_disabled: false,
  allow_message_editing: true,
  message_content_edit_limit_seconds: 600,
  message_content_delete_limit_seconds: 600,
  move_messages_within_stream_limit_seconds: 604_800,
  move_messages_between_streams_limit_seconds: 604_800,
  message_edit_history_visibility_policy: 'all',
  allow_edit_history: true,
  topics_policy: 'allow_empty_topic',
  mandatory_topics: false,
  enable_read_receipts: true,
  presence_disabled: false,
  enable_guest_user_indicator: true,
  enable_guest_user_dm_warning: true,
  enable_spectator_access: false,
  want_advertise_in_communities_directory: false,
  waiting_period_threshold: 0,
  /** -1 keeps messages for ever. */
  message_retention_days: -1,
  inline_image_preview: true,
  inline_url_embed_preview: false,
  video_chat_provider: 1,
  jitsi_server_url: null,
  giphy_rating: 2,
  default_code_block_language: '',
  digest_emails_enabled: false,
  digest_weekday: 1,
  send_welcome_emails: true,
  message_content_allowed_in_email_notifications: true,
  welcome_message_custom_text: '',
  /** -1 stands for no channel. */
  new_stream_announcements_stream_id: -1,
  signup_announcements_stream_id: -1,
  zulip_update_announcements_stream_id: -1,
  moderation_request_channel_id: -1,
  require_e2ee_push_notifications: false,
  send_channel_events_messages: true,
  push_notifications_enabled: false,
  push_notifications_enabled_end_timestamp: null,
  /** Stands for the empty topic towards clients that cannot show one. */
  empty_topic_display_name: 'general chat',
  upload_quota_mib: null,
  email_auth_enabled: true,
  password_auth_enabled: true,
  authentication_methods: { Email: { enabled: true, available: true } },
  default_external_accounts: {
    github: {
      name: 'GitHub',
      text: 'GitHub',
      hint: 'Enter your GitHub username',
      url_pattern: 'https://github.com/%(username)s',
    },
    twitter: {
      name: 'Twitter username',
      text: 'Twitter',
      hint: 'Enter your Twitter username',
      url_pattern: 'https://twitter.com/%(username)s',
    },
  },
  available_video_chat_providers: { disabled: { name: 'None', id: 0 }, jitsi_meet: { name: 'Jitsi Meet', id: 1 } },
} as const;

/** Who may do what in the organization, and which groups the setting may name. */
export interface RealmPermission {
  readonly defaultGroup: SystemGroupName;
  /** It may be given to `role:nobody` … */
  readonly allowsNobody: boolean;
  /** … and to `role:everyone`, guests included. */
  readonly allowsEveryone: boolean;
  /** Only these system groups; any group or list of people when absent. */
  readonly onlySystemGroups?: readonly SystemGroupName[];
}

const permission = (
  defaultGroup: SystemGroupName,
  allowsNobody: boolean,
  allowsEveryone: boolean,
  onlySystemGroups?: readonly SystemGroupName[],
): RealmPermission => ({
  defaultGroup,
  allowsNobody,
  allowsEveryone,
  ...(onlySystemGroups === undefined ? {} : { onlySystemGroups }),
});

export const REALM_PERMISSIONS = {
  create_multiuse_invite_group: permission('role:administrators', true, false),
  can_access_all_users_group: permission('role:everyone', false, true, ['role:everyone', 'role:members']),
  can_add_custom_emoji_group: permission('role:members', true, false),
  can_add_subscribers_group: permission('role:members', true, false),
  can_create_bots_group: permission('role:members', true, false),
  can_create_write_only_bots_group: permission('role:members', true, false),
  can_create_groups: permission('role:members', true, false),
  can_create_public_channel_group: permission('role:members', true, false),
  can_create_private_channel_group: permission('role:members', true, false),
  can_create_web_public_channel_group: permission('role:owners', true, false, [
    'role:moderators',
    'role:administrators',
    'role:owners',
    'role:nobody',
  ]),
  can_delete_any_message_group: permission('role:administrators', true, false),
  can_delete_own_message_group: permission('role:everyone', true, true),
  can_invite_users_group: permission('role:members', true, false),
  can_manage_all_groups: permission('role:owners', false, false),
  can_manage_billing_group: permission('role:administrators', false, false),
  can_mention_many_users_group: permission('role:administrators', true, true),
  can_move_messages_between_channels_group: permission('role:members', true, false),
  can_move_messages_between_topics_group: permission('role:everyone', true, true),
  can_resolve_topics_group: permission('role:everyone', true, true),
  can_set_delete_message_policy_group: permission('role:moderators', true, false),
  can_set_topics_policy_group: permission('role:members', true, true),
  can_summarize_topics_group: permission('role:everyone', true, true),
  direct_message_initiator_group: permission('role:everyone', true, true),
  direct_message_permission_group: permission('role:everyone', true, true),
} as const satisfies Record<string, RealmPermission>;

export type RealmPermissionName = keyof typeof REALM_PERMISSIONS;

export const REALM_PERMISSION_NAMES = Object.keys(REALM_PERMISSIONS) as readonly RealmPermissionName[];

/** Who holds the permission in a new organization. */
export function realmPermission(name: RealmPermissionName): GroupSetting {
  return systemGroupId(REALM_PERMISSIONS[name].defaultGroup);
}

/** Integers that said the same before permissions were groups; clients still read some of them. */
const COMMON_POLICY: Readonly<Record<SystemGroupName, number>> = {
  'role:owners': 7,
  'role:administrators': 2,
  'role:moderators': 4,
  'role:fullmembers': 3,
  'role:members': 1,
  'role:everyone': 5,
  'role:internet': 5,
  'role:nobody': 6,
};
const WILDCARD_MENTION_POLICY: Readonly<Record<SystemGroupName, number>> = {
  'role:owners': 5,
  'role:administrators': 5,
  'role:moderators': 7,
  'role:fullmembers': 3,
  'role:members': 2,
  'role:everyone': 1,
  'role:internet': 1,
  'role:nobody': 6,
};

/**
 * The older integer settings that follow from the groups, without the prefix `realm_`.
 * @param groupOf the smallest system group that holds everybody who holds the permission
 */
export function legacyPolicies(
  groupOf: (name: RealmPermissionName) => SystemGroupName,
): Readonly<Record<string, number>> {
  const common = (name: RealmPermissionName): number => COMMON_POLICY[groupOf(name)];
  return {
    add_custom_emoji_policy: common('can_add_custom_emoji_group'),
    // Of its own kind: 1 everyone, 2 only incoming webhooks, 3 administrators alone.
    bot_creation_policy: 1,
    user_group_edit_policy: common('can_create_groups'),
    create_public_stream_policy: common('can_create_public_channel_group'),
    create_private_stream_policy: common('can_create_private_channel_group'),
    create_web_public_stream_policy: common('can_create_web_public_channel_group'),
    delete_own_message_policy: common('can_delete_own_message_group'),
    invite_to_realm_policy: common('can_invite_users_group'),
    invite_to_stream_policy: common('can_add_subscribers_group'),
    move_messages_between_streams_policy: common('can_move_messages_between_channels_group'),
    edit_topic_policy: common('can_move_messages_between_topics_group'),
    wildcard_mention_policy: WILDCARD_MENTION_POLICY[groupOf('can_mention_many_users_group')],
  };
}

/** What clients may send at most. Lengths are in code points. */
export const LIMITS = {
  max_message_length: 10_000,
  max_topic_length: 60,
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  max_channel_folder_name_length: 100,
  max_channel_folder_description_length: 1024,
  max_reminder_note_length: 1000,
  max_bulk_new_subscription_messages: 100,
  max_file_upload_size_mib: 25,
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  password_min_length: 6,
  password_max_length: 100,
  password_min_guesses: 10_000,
} as const;

/** Constants of the server that clients set their clocks by. */
export const SERVER_CONSTANTS = {
  server_presence_ping_interval_seconds: 60,
  server_presence_offline_threshold_seconds: 200,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_wait_period_milliseconds: 30_000,
  /** Longer than a poll is ever held. */
  event_queue_longpoll_timeout_seconds: 90,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: false,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_web_public_streams_enabled: false,
  settings_send_digest_emails: false,
  server_jitsi_server_url: null,
  jitsi_server_url: null,
  server_can_summarize_topics: false,
  server_needs_upgrade: false,
  server_generation: 0,
  development_environment: false,
  server_min_deactivated_realm_deletion_days: 14,
  server_max_deactivated_realm_deletion_days: null,
  server_thumbnail_formats: [],
  server_report_message_types: [
    { key: 'spam', name: 'Spam' },
    { key: 'harassment', name: 'Harassment' },
    { key: 'inappropriate', name: 'Inappropriate content' },
    { key: 'norms', name: 'Violates community norms' },
    { key: 'other', name: 'Other reason' },
  ],
  giphy_rating_options: {
    disabled: { id: 0, name: 'GIPHY integration disabled' },
    y: { id: 1, name: 'Allow GIFs rated Y (Very young audience)' },
    g: { id: 2, name: 'Allow GIFs rated G (General audience)' },
    pg: { id: 3, name: 'Allow GIFs rated PG (Parental guidance)' },
    'pg-13': { id: 4, name: 'Allow GIFs rated PG-13 (Parental guidance - under 13)' },
    r: { id: 5, name: 'Allow GIFs rated R (Restricted)' },
  },
  zulip_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',
} as const;

/** A new user's own settings. */
export const USER_SETTINGS = {
  twenty_four_hour_time: false,
  starred_message_counts: true,
  display_emoji_reaction_users: true,
  emojiset: 'google',
  presence_enabled: true,
  web_inbox_show_channel_folders: true,
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  receives_typing_notifications: true,
  pm_content_in_desktop_notifications: true,
  default_language: 'en',
  timezone: '',
  color_scheme: 1,
  enter_sends: false,
  fluid_layout_width: false,
  high_contrast_mode: false,
  translate_emoticons: false,
  left_side_userlist: false,
  user_list_style: 2,
  demote_inactive_streams: 1,
  hide_ai_features: false,
  web_home_view: 'inbox',
  web_escape_navigates_to_home_view: true,
  web_font_size_px: 16,
  web_line_height_percent: 140,
  web_mark_read_on_scroll_policy: 1,
  web_channel_default_view: 1,
  web_stream_unreads_count_display_policy: 2,
  web_animate_image_previews: 'on_hover',
  web_navigate_to_sent_message: true,
  web_suggest_update_timezone: true,
  web_left_sidebar_unreads_count_summary: true,
  web_left_sidebar_show_channel_folders: true,
  enable_stream_desktop_notifications: false,
  enable_stream_email_notifications: false,
  enable_stream_push_notifications: false,
  enable_stream_audible_notifications: false,
  wildcard_mentions_notify: true,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_email_notifications: true,
  enable_followed_topic_push_notifications: true,
  enable_followed_topic_audible_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_offline_email_notifications: true,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_digest_emails: true,
  enable_login_emails: true,
  enable_marketing_emails: true,
  message_content_in_email_notifications: true,
  notification_sound: 'zulip',
  email_notifications_batching_period_seconds: 120,
  desktop_icon_count_display: 1,
  realm_name_in_email_notifications_policy: 1,
  automatically_follow_topics_policy: 3,
  automatically_unmute_topics_in_muted_streams_policy: 2,
  automatically_follow_topics_where_mentioned: true,
  resolved_topic_notice_auto_read_policy: 'except_followed',
  send_read_receipts: true,
  allow_private_data_export: false,
  enable_drafts_synchronization: true,
  email_address_visibility: 1,
} as const;

export const EMOJISET_CHOICES = [
  { key: 'google', text: 'Google' },
  { key: 'google-blob', text: 'Google blobs' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
] as const;

export const NOTIFICATION_SOUNDS = ['ding', 'zulip'] as const;

/** Display settings that older clients read as keys of their own; `default_view` is `web_home_view`. */
export const LEGACY_DISPLAY_SETTINGS = [
  'color_scheme',
  'default_language',
  'demote_inactive_streams',
  'emojiset',
  'enable_drafts_synchronization',
  'enter_sends',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'starred_message_counts',
  'translate_emoticons',
  'twenty_four_hour_time',
] as const satisfies readonly (keyof typeof USER_SETTINGS)[];

/** Notification settings likewise. */
export const LEGACY_NOTIFICATION_SETTINGS = [
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'enable_stream_audible_notifications',
  'wildcard_mentions_notify',
  'enable_desktop_notifications',
  'enable_sounds',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'message_content_in_email_notifications',
  'pm_content_in_desktop_notifications',
  'notification_sound',
  'email_notifications_batching_period_seconds',
  'desktop_icon_count_display',
  'realm_name_in_email_notifications_policy',
  'presence_enabled',
] as const satisfies readonly (keyof typeof USER_SETTINGS)[];

/** Permission settings of user groups, with who holds them in a group that somebody creates. */
export const GROUP_PERMISSIONS = {
  can_add_members_group: 'creator',
  can_join_group: 'role:nobody',
  can_leave_group: 'role:everyone',
  can_manage_group: 'creator',
  can_mention_group: 'role:everyone',
  can_remove_members_group: 'role:nobody',
} as const satisfies Record<string, SystemGroupName | 'creator'>;

const CHANNEL_PERMISSIONS_FOR_EVERYONE: ReadonlySet<string> = new Set([
  'can_create_topic_group',
  'can_delete_own_message_group',
  'can_move_messages_within_channel_group',
  'can_resolve_topics_group',
  'can_send_message_group',
]);

/** `server_supported_permission_settings`: what each permission setting may be set to. */
export function supportedPermissionSettings() {
  const open = { require_system_group: false, allow_internet_group: false, allowed_system_groups: [] };
  return {
    realm: Object.fromEntries(
      Object.entries<RealmPermission>(REALM_PERMISSIONS).map(([name, setting]) => [
        name,
        {
          require_system_group: setting.onlySystemGroups !== undefined,
          allow_internet_group: false,
          allow_nobody_group: setting.allowsNobody,
          allow_everyone_group: setting.allowsEveryone,
          default_group_name: setting.defaultGroup,
          default_for_system_groups: null,
          allowed_system_groups: setting.onlySystemGroups ?? [],
        },
      ]),
    ),
    stream: Object.fromEntries(
      Object.entries(CHANNEL_PERMISSIONS).map(([name, holder]) => [
        name,
        {
          ...open,
          allow_nobody_group: true,
          allow_everyone_group: CHANNEL_PERMISSIONS_FOR_EVERYONE.has(name),
          default_group_name: holder === 'creator' ? 'channel_creator' : holder,
          default_for_system_groups: null,
        },
      ]),
    ),
    group: Object.fromEntries(
      Object.entries(GROUP_PERMISSIONS).map(([name, holder]) => [
        name,
        {
          ...open,
          allow_nobody_group: true,
          allow_everyone_group: holder === 'role:everyone',
          default_group_name: holder === 'creator' ? 'group_creator' : holder,
          default_for_system_groups: 'role:nobody',
        },
      ]),
    ),
  };
}

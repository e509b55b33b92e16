/** Limits of what clients may send. Lengths are in code points. */
export const LIMITS = {
  max_message_length: 10_000,
  max_topic_length: 60,
  max_stream_name_length: 60,
  max_stream_description_length: 1024,
  max_channel_folder_name_length: 100,
  max_channel_folder_description_length: 1024,
  max_reminder_note_length: 1000,
  max_bulk_new_subscription_messages: 100,
  max_avatar_file_size_mib: 5,
  max_icon_file_size_mib: 5,
  max_logo_file_size_mib: 5,
  password_min_length: 6,
  password_max_length: 100,
  password_min_guesses: 10_000,
} as const;

/** Sizes in which uploaded pictures are also kept. Clients choose an animated one for animations. */
export const THUMBNAIL_FORMATS = [
  { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
  { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
] as const;

/** Constants of the server for timers of clients. */
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
  server_web_public_streams_enabled: true,
  settings_send_digest_emails: false,
  server_jitsi_server_url: null,
  server_can_summarize_topics: false,
  server_needs_upgrade: false,
  development_environment: false,
  server_min_deactivated_realm_deletion_days: 14,
  server_max_deactivated_realm_deletion_days: null,
  server_thumbnail_formats: THUMBNAIL_FORMATS,
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

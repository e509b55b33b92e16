/** What is said of every organization and is no setting (register.md §3), without the prefix `realm_`. */
export const REALM_CONSTANTS = {
  plan_type: 1,
  icon_source: 'G',
  icon_url: '/static/icon.svg',
  logo_source: 'D',
  logo_url: '/static/icon.svg',
  night_logo_source: 'D',
  night_logo_url: '/static/icon.svg',
  push_notifications_enabled: false,
  push_notifications_enabled_end_timestamp: null,
  /** Display name of the empty topic for clients that cannot show one. */
  empty_topic_display_name: 'general chat',
  upload_quota_mib: null,
  email_auth_enabled: true,
  password_auth_enabled: true,
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

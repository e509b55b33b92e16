/** What is said of every organization and is no setting (register.md §3), without the prefix `realm_`. */
export const REALM_CONSTANTS = {
  plan_type: 1,
  push_notifications_enabled: false,
  push_notifications_enabled_end_timestamp: null,
  /** Display name of the empty topic for clients that cannot show one. */
  empty_topic_display_name: 'general chat',
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
} as const;

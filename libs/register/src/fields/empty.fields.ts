import type { FieldTexts } from '../field-texts.js';
import type { Wanted } from '../wanted.js';
import { wants } from '../wanted.js';

const FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
} as const;

/** Only for clients that understand it. */
const PRONOUNS = { PRONOUNS: { id: 8, name: 'Pronouns' } } as const;

/** By key: what this organization has none of. Clients need every field, and the right kind of nothing in it. */
const NOTHING: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  channel_folders: { channel_folders: [] },
  default_stream_groups: { realm_default_stream_groups: [] },
  drafts: { drafts: [] },
  giphy: { giphy_api_key: '' },
  klipy: { klipy_api_key: '' },
  navigation_views: { navigation_views: [] },
  onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
  push_device: { push_devices: {} },
  device: { devices: {} },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_bot: { realm_bots: [] },
  realm_domains: { realm_domains: [] },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_emoji: { realm_emoji: {} },
  realm_filters: { realm_filters: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  realm_playgrounds: { realm_playgrounds: [] },
  reminders: { reminders: [] },
  saved_snippets: { saved_snippets: [] },
  scheduled_messages: { scheduled_messages: [] },
  stop_words: { stop_words: [] },
  tenor: { tenor_api_key: '' },
  user_status: { user_status: {} },
  video_calls: { has_zoom_token: false },
};

/** What there is none of (register.md §2). */
export function addNothing(fields: FieldTexts, wanted: Wanted): void {
  for (const [key, empty] of Object.entries(NOTHING)) if (wants(wanted, key)) fields.addAll(empty);
  if (wants(wanted, 'custom_profile_fields')) {
    fields
      .add('custom_profile_fields', [])
      .add('custom_profile_field_types', wanted.pronouns ? { ...FIELD_TYPES, ...PRONOUNS } : FIELD_TYPES);
  }
  if (wants(wanted, 'presence')) {
    fields
      .add('presences', {})
      .add('server_timestamp', wanted.nowMs / 1000)
      .add('presence_last_update_id', -1);
  }
}
